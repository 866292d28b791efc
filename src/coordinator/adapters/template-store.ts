/** Rows of registered templates. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { TemplateBody } from "./template-schema.ts";

/** A later registration of an id replaces the earlier one completely. */
export async function upsertTemplate(db: Db, template: TemplateBody): Promise<void> {
  const { id, name, description, version, infrastructureIdRef, url, environment, properties } = template;
  await sql`insert into template_metadata (id, name, description, version, infrastructure_id_ref, url, environment,
      properties)
    values (${id}, ${name}, ${description}, ${version}, ${infrastructureIdRef ?? null}, ${url ?? null},
      ${environment ?? null}, ${JSON.stringify(properties ?? {})}::json)
    on conflict (id) do update set name = excluded.name, description = excluded.description,
      version = excluded.version, infrastructure_id_ref = excluded.infrastructure_id_ref, url = excluded.url,
      environment = excluded.environment, properties = excluded.properties, updated_at = now()`.execute(db);
}
