import { Type } from "typebox";
import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { BuilderExtra } from "../../context.ts";
import type { TemplateLoader } from "../../templates/load-template.ts";
import { taskParams } from "../schema.ts";
import { acceptEdit } from "./publish-edit.ts";
import { entityForm, formList, formQuery, formsQuery } from "./schema.ts";
import { getForm, listForms } from "./service.ts";

const tags = ["Templates"];

/** Adds the forms that change an entity. An edit is started like an instantiation, with `entityRef`. */
export function addEditRoutes(app: AreaApp<BuilderExtra>, templates: TemplateLoader): void {
  route(app, {
    id: "listEntityForms",
    method: "GET",
    path: "/templates/forms",
    summary: "List the forms that change an entity",
    description:
      "Edit and reverse provisioning templates for the template that the entity was made with (`spec.mesh.useCaseTemplateId`), or the one that the entity names.",
    tags,
    rule: "listEntityForms",
    query: formsQuery,
    response: { 200: formList },
    errors: [404],
    handler: (ctx, { query }) => listForms(ctx, query.entityRef),
  });
  route(app, {
    id: "getEntityForm",
    method: "GET",
    path: "/templates/form",
    summary: "Get a form with what an entity has now",
    description:
      "Read from the repository of the entity, at the head of its branch. The form is sent with `POST /templates/instantiate`, `entityRef` and `revision`.",
    tags,
    rule: "getEntityForm",
    query: formQuery,
    response: { 200: entityForm },
    errors: [404, 502],
    handler: (ctx, { query }) => getForm(ctx, templates, query),
  });
  route(app, {
    id: "acceptEdit",
    method: "POST",
    path: "/templates/tasks/{taskId}/accept",
    summary: "Accept an edit",
    description:
      "Takes the branch that an edit was published to into the branch of its entity, as long as that has not moved on.",
    tags,
    rule: "acceptEdit",
    params: taskParams,
    response: {
      200: Type.Object({ entityRef: Type.String(), branch: Type.String(), commitHash: Type.String() }),
    },
    errors: [403, 404, 409, 502],
    handler: (ctx, { params }) => acceptEdit(ctx, params.taskId),
  });
}
