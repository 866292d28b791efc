/** Rows of tools as their servers describe them, and the approved fingerprint of each. */
import { inTransaction, type Database, type Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import { fingerprint, type OfferedTool } from "./fingerprint.ts";
import type { McpServerSettings } from "../../../platform/config/schema/schema-mcp.ts";
import type { AssistantDeps } from "../../context.ts";
import { platformServer } from "../toolbox.ts";

interface Listing {
  server: string;
  tools: readonly OfferedTool[];
  at: Date;
  /** Which of them count as approved: all, those of the server's very first listing, or none. */
  approve: "all" | "first" | "none";
}

/** `seen_at` is written again when it is older than this. */
const seenEvery = "10 minutes";

/**
 * Records what a server offers now. A tool whose description differs from the approved one waits for an approval; one that
 * comes back as it was approved is offered again. Returns the names of the tools that wait for an approval by this.
 */
export async function recordListing(database: Database, listing: Listing): Promise<string[]> {
  const { server, tools, at, approve } = listing;
  const offered = tools.map((tool) => ({ ...tool, fingerprint: fingerprint(tool) }));
  return inTransaction(database, async (tx) => {
    // Of replicas that see a server for the first time, one has the first listing.
    await sql`select pg_advisory_xact_lock(hashtext('mcp_tools'), hashtext(${server}))`.execute(tx);
    const { rows } = await sql<{ known: boolean }>`select exists
      (select from mcp_tools where server = ${server}) as known`.execute(tx);
    const isApproved = approve === "all" || (approve === "first" && rows[0]?.known !== true);
    const changed = await upsert(tx, { server, at, approveAll: approve === "all", isApproved, offered });
    await sql`update mcp_tools set state = 'gone' where server = ${server} and state <> 'gone'
      and name <> all(${offered.map(({ name }) => name)}::text[])`.execute(tx);
    return changed;
  });
}

interface Upsert {
  server: string;
  at: Date;
  /** Also approves known tools that have changed. */
  approveAll: boolean;
  /** Approves tools that were not known. */
  isApproved: boolean;
  offered: readonly (OfferedTool & { fingerprint: string })[];
}

async function upsert(db: Db, { server, at, approveAll, isApproved, offered }: Upsert): Promise<string[]> {
  const approved = sql`case when ${approveAll} then excluded.fingerprint else t.approved_fingerprint end`;
  const { rows } = await sql<{ name: string }>`
    with offered as (
      select * from json_to_recordset(${JSON.stringify(offered)}::json)
        as o(name text, description text, "inputSchema" json, annotations json, fingerprint text)),
    written as (
      insert into mcp_tools as t (server, name, description, input_schema, annotations, fingerprint,
        approved_fingerprint, state, seen_at)
      select ${server}, name, description, "inputSchema", annotations, fingerprint,
        case when ${isApproved} then fingerprint end,
        case when ${isApproved} then 'approved' else 'changed' end, ${at} from offered
      on conflict (server, name) do update set description = excluded.description,
        input_schema = excluded.input_schema, annotations = excluded.annotations,
        fingerprint = excluded.fingerprint, approved_fingerprint = ${approved},
        state = case when ${approved} = excluded.fingerprint then 'approved' else 'changed' end,
        seen_at = excluded.seen_at
      where t.fingerprint <> excluded.fingerprint or t.state = 'gone'
        or t.seen_at < excluded.seen_at - ${seenEvery}::interval
        or ${approved} is distinct from t.approved_fingerprint
      returning name, state)
    select name from written where state = 'changed' order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Marks the tools of servers that are not configured any more as gone. */
export async function forgetServers(db: Db, present: readonly string[]): Promise<void> {
  await sql`update mcp_tools set state = 'gone' where state <> 'gone'
    and server <> all(${[...present]}::text[])`.execute(db);
}

/** The approved fingerprint of each offered tool, by `server:name`. */
export async function readApproved(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; approved: string }>`select id, approved_fingerprint as approved
    from mcp_tools where state = 'approved'`.execute(db);
  return new Map(rows.map(({ id, approved }) => [id, approved]));
}

/** Records the platform's own tools, which need no approval, and forgets servers that are not configured any more. */
export async function recordPlatformTools(
  { database, platformTools }: Pick<AssistantDeps, "database" | "platformTools">,
  { servers, at }: { servers: readonly McpServerSettings[]; at: Date },
): Promise<void> {
  const tools = platformTools.list().map(({ name, title, description, inputSchema, destructive }) => ({
    name,
    description,
    inputSchema,
    annotations: { title, readOnlyHint: !destructive, destructiveHint: destructive },
  }));
  await recordListing(database, { server: platformServer, tools, at, approve: "all" });
  await forgetServers(database.db, [platformServer, ...servers.map(({ name }) => name)]);
}
