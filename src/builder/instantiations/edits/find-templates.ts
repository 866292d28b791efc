/** Finds the templates of the catalogue that apply to an entity. */
import type { Db } from "../../../platform/db/database.ts";
import { type Entity, normalRef, refOf } from "../../entity.ts";
import { findEntity } from "../../catalogue/lookup.ts";
import type { Json } from "../../templates/engine/template-value.ts";
import {
  entityTemplateKinds,
  isFor,
  readEntityTemplate,
  useCaseTemplateIdOf,
  type EntityTemplate,
} from "../../templates/entity-template.ts";
import { valueExpressions } from "./follow-values.ts";
import { listCreationTemplates, listEntitiesOfKinds } from "./store.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

export async function findTemplatesFor(db: Db, entity: Entity): Promise<EntityTemplate[]> {
  const templates = (await listEntitiesOfKinds(db, entityTemplateKinds)).flatMap(
    (found) => readEntityTemplate(found) ?? [],
  );
  const idsOf = await useCaseTemplateIds(db, templates);
  return templates.filter((template) => isFor(template, { ref: refOf(template.entity), entity }, idsOf));
}

/** The template with that reference, when it applies to the entity. */
export async function findTemplateFor(
  db: Db,
  entity: Entity,
  templateRef: string,
): Promise<EntityTemplate | null> {
  const ref = normalRef(templateRef, { kind: "edittemplate" });
  const found = ref === null ? null : await findEntity(db, ref);
  const template = found === null ? null : readEntityTemplate(found);
  if (template === null || ref === null) return null;
  const idsOf = await useCaseTemplateIds(db, [template]);
  return isFor(template, { ref, entity }, idsOf) ? template : null;
}

/** The URNs that the creation templates with these references give to entities. */
async function useCaseTemplateIds(
  db: Db,
  templates: readonly EntityTemplate[],
): Promise<(ref: string) => readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const ref of new Set(templates.flatMap(({ useCaseTemplateRefs }) => useCaseTemplateRefs))) {
    const template = await findEntity(db, ref);
    ids.set(ref, template === null ? [] : idsGivenBy(template));
  }
  return (ref) => ids.get(ref) ?? [];
}

function idsGivenBy({ spec }: Entity): string[] {
  const steps: unknown = spec?.["steps"];
  return (Array.isArray(steps) ? steps : []).flatMap((step: unknown) => {
    const input: unknown = isRecord(step) ? step["input"] : undefined;
    const values = isRecord(input) ? input["values"] : undefined;
    const id = isRecord(values) ? values["useCaseTemplateId"] : undefined;
    return typeof id === "string" ? [id] : [];
  });
}

/**
 * The values that the template of an entity derives from its parameters; null when there is no such template.
 */
export async function findExpressions(db: Db, entity: Entity): Promise<Record<string, Json> | null> {
  const id = useCaseTemplateIdOf(entity);
  if (id === null) return null;
  for (const template of await listCreationTemplates(db, id)) {
    const expressions = valueExpressions(template, id);
    if (expressions !== null) return expressions;
  }
  return null;
}
