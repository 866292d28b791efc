/**
 * Catalogue queries for edits: templates that apply to existing entities, and the templates that created
 * these.
 */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { Entity } from "../../entity.ts";

/** Maximum number of templates that are read. */
const maxTemplates = 1_000;
/** Maximum number of creation templates with one URN that are read; there should be one. */
const maxCreationTemplates = 5;

export async function listEntitiesOfKinds(db: Db, kinds: readonly string[]): Promise<Entity[]> {
  const { rows } = await sql<{ text: string }>`select processed as text from catalogue_entities
    where kind = any(${[...kinds]}::text[]) and not orphan order by ref limit ${maxTemplates}`.execute(db);
  return rows.map(({ text }) => JSON.parse(text) as Entity);
}

/** Templates whose text contains this URN. */
export async function listCreationTemplates(db: Db, useCaseTemplateId: string): Promise<Entity[]> {
  const { rows } = await sql<{ text: string }>`select processed as text from catalogue_entities
    where kind = 'template' and not orphan and position(${useCaseTemplateId}::text in raw::text) > 0
    order by ref limit ${maxCreationTemplates}`.execute(db);
  return rows.map(({ text }) => JSON.parse(text) as Entity);
}
