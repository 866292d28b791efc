/** Pure: the templates of a catalogue that change existing entities. */
import type { Problem } from "../../platform/errors/failure.ts";
import { type Entity, normalRef } from "../entity.ts";
import type { JsonObject, JsonSchema } from "./json-schema.ts";
import { templateApiVersion } from "./template.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export type EntityTemplateKind = "edit" | "reverse";

export interface EntityTemplate {
  kind: EntityTemplateKind;
  entity: Entity;
  /** URNs of the creation templates whose entities it applies to. */
  useCaseTemplateIds: string[];
  /** References of those templates. */
  useCaseTemplateRefs: string[];
  /** Restricts it to entities of this domain, when given. */
  domain: string | null;
}

/**
 * Annotation by which an entity names its edit template; otherwise the template names the entities it applies
 * to.
 */
export const editTemplateAnnotation = "plinth.io/edit-template";

const kinds: ReadonlyMap<string, EntityTemplateKind> = new Map([
  ["edittemplate", "edit"],
  ["reverseprovisioningtemplate", "reverse"],
]);

export const entityTemplateKinds = [...kinds.keys()];

/** Null for an entity of another kind. */
export function readEntityTemplate(entity: Entity): EntityTemplate | null {
  const kind = kinds.get(entity.kind.toLowerCase());
  if (kind === undefined) return null;
  const { useCaseTemplateId, useCaseTemplateRef, domain } = entity.spec ?? {};
  return {
    kind,
    entity,
    useCaseTemplateIds: textsOf(useCaseTemplateId),
    useCaseTemplateRefs: textsOf(useCaseTemplateRef).flatMap(
      (ref) => normalRef(ref, { kind: "template" }) ?? [],
    ),
    domain: typeof domain === "string" ? normalRef(domain, { kind: "domain" }) : null,
  };
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === "string");

/** The URN of the template that an entity was created with. */
export function useCaseTemplateIdOf({ spec }: Entity): string | null {
  const mesh = spec?.["mesh"];
  const id = isRecord(mesh) ? (mesh["useCaseTemplateId"] ?? spec?.["useCaseTemplateId"]) : undefined;
  return typeof id === "string" && id !== "" ? id : null;
}

/**
 * Whether the template applies to the entity; `idsOf` returns the URNs that a creation template gives its
 * entities.
 */
export function isFor(
  template: EntityTemplate,
  { ref, entity }: { ref: string; entity: Entity },
  idsOf: (templateRef: string) => readonly string[],
): boolean {
  const named = entity.metadata.annotations?.[editTemplateAnnotation];
  if (named !== undefined && template.kind === "edit")
    return normalRef(named, { kind: "edittemplate" }) === ref;
  const domain = entity.spec?.["domain"];
  const isInDomain =
    template.domain === null ||
    (typeof domain === "string" && normalRef(domain, { kind: "domain" }) === template.domain);
  const id = useCaseTemplateIdOf(entity);
  const ids = [...template.useCaseTemplateIds, ...template.useCaseTemplateRefs.flatMap(idsOf)];
  return isInDomain && id !== null && ids.includes(id);
}

export interface EntityPages {
  /** One for each page of the form, in order. */
  pages: { schema: JsonSchema; isByEnvironment: boolean }[];
  problems: Problem[];
}

/** Pages with `environmentParameters: true` are filled in once for each environment. */
export function readPages({ entity }: EntityTemplate): EntityPages {
  const problems: Problem[] = [];
  const parameters = entity.spec?.["parameters"];
  const all: unknown[] =
    parameters === undefined || parameters === null
      ? []
      : Array.isArray(parameters)
        ? parameters
        : [parameters];
  const pages = all.flatMap((page, index) => {
    if (isRecord(page)) {
      const { environmentParameters, ...schema } = page;
      return [{ schema, isByEnvironment: environmentParameters === true }];
    }
    problems.push({ where: `/spec/parameters/${index}`, message: "A page of parameters is a JSON Schema." });
    return [];
  });
  return { pages, problems };
}

/**
 * The entity in the form of a creation template with some of its pages, so that the same code can parse and
 * check it.
 */
export function asCreationTemplate(
  { entity }: EntityTemplate,
  name: string,
  schemas: readonly JsonSchema[],
): Entity {
  const { steps } = entity.spec ?? {};
  return {
    ...entity,
    apiVersion: templateApiVersion,
    metadata: { ...entity.metadata, name, title: entity.metadata.title ?? entity.metadata.name },
    spec: { ...entity.spec, parameters: schemas, steps: Array.isArray(steps) ? steps : [], output: {} },
  };
}

/** Names of the top-level fields of a page, including conditional ones. */
export function fieldsOf(page: JsonSchema): { name: string; isLocked: boolean }[] {
  const found = new Map<string, boolean>();
  const walk = (schema: unknown, depth: number): void => {
    if (!isRecord(schema) || depth > maxDepth) return;
    const { properties, dependencies } = schema;
    for (const [name, part] of Object.entries(isRecord(properties) ? properties : {}))
      found.set(name, found.get(name) === true || isLocked(part));
    const lists = ["allOf", "anyOf", "oneOf"].flatMap((key) => {
      const list = schema[key];
      return Array.isArray(list) ? list : [];
    });
    const single = ["if", "then", "else"].map((key) => schema[key]);
    const dependent = isRecord(dependencies) ? Object.values(dependencies) : [];
    for (const part of [...lists, ...single, ...dependent]) walk(part, depth + 1);
  };
  walk(page, 0);
  return [...found].map(([name, locked]) => ({ name, isLocked: locked }));
}

const maxDepth = 20;

/** Whether the form shows the field as read-only. */
function isLocked(part: unknown): boolean {
  if (!isRecord(part)) return false;
  const options: JsonObject = isRecord(part["ui:options"]) ? part["ui:options"] : {};
  return [part["ui:disabled"], part["ui:readonly"], options["disabled"], options["readonly"]].includes(true);
}
