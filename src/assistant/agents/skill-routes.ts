import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AssistantExtra } from "../context.ts";
import { plainUuid } from "../record-schema.ts";
import { skill, skillBody, skillList, skillParams, skillPatch, skillQuery } from "./skill-schema.ts";
import { changeSkill, createSkill, findSkills, getSkill, removeSkill } from "./skill-service.ts";
import { isUuid } from "../../platform/lib/ids.ts";

const tags = ["Skills"];

export function addSkillRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "getSkills",
    method: "GET",
    path: "/skills",
    summary: "Get skills",
    tags,
    rule: "readAssistant",
    query: skillQuery,
    response: { 200: skillList },
    handler: (ctx, { query }) =>
      findSkills(ctx, {
        search: query.search,
        isPlatformProvided: query.is_platform_provided,
        ids: idFilter(query.ids),
        sortBy: query["sort-by"],
        order: query["sort-order"],
        limit: query.limit,
        offset: query.offset,
      }),
  });
  route(app, {
    id: "createSkill",
    method: "POST",
    path: "/skills",
    summary: "Create new skill",
    tags,
    rule: "writeSkills",
    body: skillBody,
    response: { 201: skill },
    handler: (ctx, { body }) => createSkill(ctx, body),
  });
  route(app, {
    id: "getSkill",
    method: "GET",
    path: "/skills/{skill_id}",
    summary: "Get a skill",
    tags,
    rule: "readAssistant",
    params: skillParams,
    response: { 200: skill },
    errors: [404],
    handler: (ctx, { params }) => getSkill(ctx, plainUuid(params.skill_id)),
  });
  route(app, {
    id: "updateSkill",
    method: "PATCH",
    path: "/skills/{skill_id}",
    summary: "Update existing skill",
    description:
      "Fields that are null or left out stay as they are. Of a skill that is shipped with the product only the tools can " +
      "be changed.",
    tags,
    rule: "writeSkills",
    params: skillParams,
    body: skillPatch,
    response: { 200: skill },
    errors: [404, 409],
    handler: (ctx, { params, body }) => changeSkill(ctx, plainUuid(params.skill_id), body),
  });
  route(app, {
    id: "deleteSkill",
    method: "DELETE",
    path: "/skills/{skill_id}",
    summary: "Delete a skill",
    description: "Agents that have it lose it.",
    tags,
    rule: "writeSkills",
    params: skillParams,
    response: { 204: { description: "It is deleted.", noBody: true } },
    errors: [404, 409],
    handler: (ctx, { params }) => removeSkill(ctx, plainUuid(params.skill_id)),
  });
}

/** The ids that a list is filtered by; null for all. Texts that are no UUID match nothing. */
function idFilter(given: readonly string[] | undefined): string[] | null {
  if (given === undefined || given.length === 0) return null;
  return given.map(plainUuid).filter(isUuid);
}
