/**
 * Pure: validates fields whose widget picks something of the platform. Their JSON Schema only says `type:
 * string`, so values of callers without a form are checked here. Runs in the render worker: a template may
 * contain patterns that take forever.
 */
import type { Problem } from "../../platform/errors/failure.ts";
import { escapeKey } from "../../platform/lib/json-pointer.ts";
import { parseEntityRef } from "../entity.ts";
import { readRepoUrl } from "../git/source-url.ts";
import type { JsonObject, JsonSchema } from "./json-schema.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

type Check = (value: string, field: JsonSchema) => string | null;

const optionsOf = (field: JsonSchema): JsonObject =>
  isRecord(field["ui:options"]) ? field["ui:options"] : {};

const textsOf = (value: unknown): string[] =>
  [value].flat().filter((item): item is string => typeof item === "string");

/** A name, or a reference of an allowed kind. Components may also be picked by their URN. */
const entity: Check = (value, field) => {
  if (/^urn:[^\s]+$/.test(value)) return null;
  const { allowedKinds, catalogFilter, defaultKind } = optionsOf(field);
  const ref = parseEntityRef(value, { kind: typeof defaultKind === "string" ? defaultKind : "any" });
  if (ref === null) return "It must be a reference of an entity: [kind:][namespace/]name.";
  const filters = [catalogFilter].flat().flatMap((filter) => (isRecord(filter) ? [filter["kind"]] : []));
  const kinds = [allowedKinds, ...filters].flatMap(textsOf);
  const isNamed = value.includes(":");
  const isAllowed = kinds.length === 0 || kinds.some((kind) => kind.toLowerCase() === ref.kind.toLowerCase());
  return !isNamed || isAllowed ? null : `It must be a reference of the kind ${kinds.join(" or ")}.`;
};

/** A group or a user unless the field allows other kinds. */
const owner: Check = (value, field) =>
  entity(value, {
    ...field,
    "ui:options": { allowedKinds: ["Group", "User"], ...optionsOf(field) },
  });

const repository: Check = (value, field) => {
  const read = readRepoUrl(value);
  if (!read.ok) return "It must name a repository: host?owner=…&repo=….";
  const { repoUrl } = read;
  const hosts = textsOf(optionsOf(field)["allowedHosts"]);
  const host =
    repoUrl.kind === "place" ? repoUrl.place.host : repoUrl.kind === "remote" ? repoUrl.host : null;
  const isAllowed = host === null || hosts.length === 0 || hosts.some((each) => each.toLowerCase() === host);
  return isAllowed ? null : `The host must be one of ${hosts.join(", ")}.`;
};

const name: Check = (value) =>
  /^\P{C}{1,253}$/u.test(value) ? null : "It must be a name: at most 253 characters on one line.";

/** Such as `finance.cash-flow.0`. */
const identifier: Check = (value) =>
  /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/.test(value)
    ? null
    : "It must be an identifier: letters, digits, hyphens and underscores, its parts joined by dots.";

const pattern: Check = (value, field) => {
  const rule = field["validation"];
  const text = isRecord(rule) ? rule["regularExpression"] : undefined;
  if (typeof text !== "string" || matches(text, value)) return null;
  const message = isRecord(rule) ? rule["errorMessage"] : undefined;
  return typeof message === "string" && message !== "" ? message : `It must match ${text}.`;
};

/** An invalid expression accepts everything: the template is wrong, not the value. */
function matches(text: string, value: string): boolean {
  try {
    return new RegExp(text).test(value);
  } catch {
    return true;
  }
}

const checks: Readonly<Record<string, Check>> = {
  EntityPicker: entity,
  MultiEntityPicker: entity,
  EntityRelationsPicker: entity,
  EntityComponentsPicker: entity,
  OwnerPicker: owner,
  OwnedEntityPicker: entity,
  MyGroupsPicker: owner,
  RepoUrlPicker: repository,
  EntityNamePicker: name,
  IdentifierPicker: identifier,
  ComponentIdentifierPicker: identifier,
  RegexPicker: pattern,
};

const maxDepth = 20;
const maxProblems = 100;

/** The problems of picker values anywhere below these pages; empty strings and absent values are valid. */
export function pickerProblems(pages: readonly JsonSchema[], values: JsonObject, base: string): Problem[] {
  const problems = new Map<string, Problem>();
  const walk = (
    schema: unknown,
    value: unknown,
    { where, depth }: { where: string; depth: number },
  ): void => {
    if (!isRecord(schema) || value === undefined || depth > maxDepth || problems.size >= maxProblems) return;
    const field = String(schema["ui:field"]);
    const check = Object.hasOwn(checks, field) ? checks[field] : undefined;
    for (const text of check === undefined ? [] : Array.isArray(value) ? value : [value]) {
      const message = typeof text === "string" && text !== "" ? check?.(text, schema) : null;
      if (message) problems.set(where, { where, message });
    }
    const below = { depth: depth + 1 };
    if (isRecord(value) && isRecord(schema["properties"]))
      for (const [key, part] of Object.entries(schema["properties"]))
        if (Object.hasOwn(value, key))
          walk(part, value[key], { where: `${where}/${escapeKey(key)}`, ...below });
    if (Array.isArray(value) && isRecord(schema["items"]))
      for (const [index, item] of value.entries())
        walk(schema["items"], item, { where: `${where}/${index}`, ...below });
  };
  for (const page of pages) walk(page, values, { where: base, depth: 0 });
  return [...problems.values()];
}
