/** A value in every column that is sealed, and what opens how much of it. */
import { sealedPlaces } from "../../src/areas.ts";
import type { Db } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import { createSecretBox, type SecretBox } from "../../src/platform/lib/secrets/secret-box.ts";

/** In every value that is sealed here. */
export const canary = Buffer.from("CaNaRy-of-the-sealed-rows");

type Seal = Pick<SecretBox, "seal">;

/** Fills the columns: `rows` tasks, agents and sessions of browsers, and both models. */
export async function sealRows(db: Db, box: Seal, rows: number): Promise<void> {
  const at = new Date();
  for (const kind of ["llm", "embedder"])
    await sql`insert into assistant_models (kind, provider, endpoint, sealed_api_key, deployment, api_version, model,
        sealed_custom_header, version, updated_by, updated_at)
      values (${kind}, '', '', ${box.seal(canary, `assistant model ${kind} key`)}, '', '', '',
        ${box.seal(canary, `assistant model ${kind} header`)}, ${newId()}, 'test', ${at})
      on conflict (kind) do update set sealed_api_key = excluded.sealed_api_key,
        sealed_custom_header = excluded.sealed_custom_header`.execute(db);
  for (let row = 0; row < rows; row += 1) {
    await addTask(db, box, at);
    await addSession(db, box, at);
    const id = newId();
    await sql`insert into external_agents (id, name, description, endpoint, sealed, active, created_at, updated_at)
      values (${id}, ${id}, '', '********', ${box.seal(canary, `external agent ${id}`)}, false, ${at}, ${at})`.execute(
      db,
    );
  }
}

/** A session of a browser, with its refresh token. */
async function addSession(db: Db, box: Seal, at: Date): Promise<void> {
  const id = newId();
  await sql`insert into access_tokens (id, kind, owner, name, hash, roles, scopes, created_at, created_by, expires_at)
    values (${id}, 'session', 'user:default/nobody', 'browser session', ${Buffer.from(id)}, '{}', '{}', ${at}, 'test',
      ${new Date(at.getTime() + 86_400_000)})`.execute(db);
  await sql`insert into browser_sessions (token_id, provider, ends_at, vouched_until, renew_at, sealed)
    values (${id}, 'oidc', ${at}, ${at}, ${at}, ${box.seal(canary, `browser session ${id}`)})`.execute(db);
}

/** One that has ended badly and kept its files; workers leave it alone. */
export async function addTask(db: Db, box: Seal, at: Date): Promise<string> {
  const id = newId();
  await sql`insert into instantiations (id, template_ref, title, plan_hash, status, owner, parameters, sealed, created_at)
    values (${id}, 'template:default/none', 'none', 'none', 'failed', 'user:default/nobody', '{}',
      ${box.seal(canary, id)}, ${at})`.execute(db);
  const archive = box.seal(Buffer.concat([canary, Buffer.alloc(2_000, 7)]), id);
  await sql`insert into instantiation_workspaces (instantiation_id, archive, is_sealed)
    values (${id}, ${archive}, true)`.execute(db);
  return id;
}

/** How many values there are, and how many of them the key opens. */
export async function openedBy(db: Db, key: string): Promise<{ values: number; opened: number }> {
  const box = createSecretBox(Buffer.from(key, "base64"));
  const counts = { values: 0, opened: 0 };
  for (const place of await sealedPlaces()) {
    const values = await place.read(db, { head: Buffer.alloc(12), after: null, limit: 1_000_000 });
    for (const { id, sealed } of values) {
      counts.values += 1;
      if (box.open(sealed, place.aboutOf(id))?.includes(canary)) counts.opened += 1;
    }
  }
  return counts;
}
