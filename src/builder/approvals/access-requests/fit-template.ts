/**
 * Validates the access control fields of a request against the form of an access request template of the
 * catalogue.
 */
import { createHash } from "node:crypto";
import type { Problem } from "../../../platform/errors/failure.ts";
import type { Entity } from "../../entity.ts";
import { findEntity } from "../../catalogue/lookup.ts";
import type { BuilderDeps } from "../../context.ts";
import type { HookContext } from "../handlers.ts";
import { plainSchema, secretFields, secretSearch, type JsonObject } from "../../templates/json-schema.ts";
import { overrunReason } from "../../renderer.ts";
import type { AccessRequestBody } from "./schema.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** Schemas come from users, so they are compiled in the render worker. */
export type RequestingContext = HookContext & { builder: Pick<BuilderDeps, "renderer"> };

export interface CheckedFields {
  /** The fields with the defaults of the template. */
  fields: Record<string, unknown> | null;
  problems: Problem[];
}

export async function checkAccessFields(
  ctx: RequestingContext,
  body: AccessRequestBody,
): Promise<CheckedFields> {
  const given = body.accessControlFields === undefined ? null : { ...body.accessControlFields };
  if (body.templateRef === undefined) return { fields: given, problems: [] };
  const entity = await findEntity(ctx.builder.database.db, body.templateRef);
  const problems = templateProblems(entity, body);
  if (entity === null || problems.length > 0) return { fields: given, problems };
  const pages = pagesOf(entity);
  // The form asks for the identities too; they are a field of the request itself.
  const asksForIdentities = pages.some(
    (page) => isRecord(page["properties"]) && "identities" in page["properties"],
  );
  const values = { ...given, ...(asksForIdentities ? { identities: body.identities } : {}) };
  const schemas = pages.map((page) => plainSchema(page));
  const checked = await ctx.builder.renderer.run("values", {
    key: createHash("sha256").update(JSON.stringify(schemas)).digest("hex"),
    schemas,
    values,
    secrets: {},
    overrides: {},
  });
  if ("overrun" in checked) {
    const reason = overrunReason(checked, ctx.builder.settings.renderTimeoutMs);
    const message = `The fields could not be held against the template: ${reason}.`;
    return { fields: given, problems: [{ where: "/accessControlFields", message }] };
  }
  const fields = { ...checked.values };
  if (asksForIdentities) delete fields["identities"];
  return { fields, problems: checked.problems.map(asRequestProblem) };
}

function templateProblems(
  entity: Entity | null,
  { templateRef = "", operation }: AccessRequestBody,
): Problem[] {
  const problem = (message: string, solution?: string): Problem[] => [
    { where: "/templateRef", message, ...(solution === undefined ? {} : { solution }) },
  ];
  if (entity === null)
    return problem(`The catalogue has no ${templateRef}.`, "Register it, or name another.");
  if (entity.kind.toLowerCase() !== "accesscontrolrequesttemplate")
    return problem(`${templateRef} is a ${entity.kind}, no AccessControlRequestTemplate.`);
  const type = entity.spec?.["type"];
  if (typeof type === "string" && type.toUpperCase() !== operation)
    return problem(
      `${templateRef} is of the type ${type}, and the request is to ${operation.toLowerCase()}.`,
    );
  const budget = secretSearch();
  if (pagesOf(entity).some((page) => secretFields(page, budget)?.length !== 0))
    return problem(`${templateRef} has fields for secrets, which an access request can't keep.`);
  return [];
}

function pagesOf({ spec }: Entity): JsonObject[] {
  const parameters = spec?.["parameters"];
  const pages: unknown[] = Array.isArray(parameters) ? parameters : [parameters];
  return pages.filter(isRecord);
}

/** The values of the form are the fields of the request, but for the identities. */
function asRequestProblem({ where, ...problem }: Problem): Problem {
  const field = where.replace(/^\/values/, "");
  const isIdentities = /^\/identities(?:\/|$)/.test(field);
  return {
    ...problem,
    where: isIdentities ? field : field === where ? where : `/accessControlFields${field}`,
  };
}
