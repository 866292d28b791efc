/** Tools that servers have offered, so that records may name them. Nobody has approved them, so no model is shown them. */
import { sql } from "../../src/platform/db/sql.ts";
import type { WholeServer } from "../support/server.ts";

export async function offerTools({ db }: Pick<WholeServer, "db">, server: string, names: readonly string[]) {
  await sql`insert into mcp_tools (server, name, fingerprint, state, seen_at)
    select ${server}, name, 'f', 'changed', now() from unnest(${[...names]}::text[]) as name
    on conflict do nothing`.execute(db.database.db);
}
