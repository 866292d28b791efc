/** Rows of the tools that MCP servers offer. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import { likePattern, type Page } from "../../record-schema.ts";
export interface ToolRow {
  /** `server:name`. */
  id: string;
  server: string;
  name: string;
  description: string;
}

/** Changed tools are not offered: only their new description is stored, which is not approved. */
const offered = sql`t.state = 'approved'`;

const columns = sql`t.id, t.server, t.name, t.description`;

/** The tools with these ids, in the same order; a tool that is not offered is left out. */
export async function readTools(db: Db, ids: readonly string[]): Promise<ToolRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ToolRow>`select ${columns} from mcp_tools t
    where t.id = any(${[...ids]}::text[]) and ${offered}`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

export interface ToolQuery extends Page {
  search: string | undefined;
  /** Null for all. */
  servers: readonly string[] | null;
}

export async function listTools(db: Db, query: ToolQuery): Promise<{ rows: ToolRow[]; total: number }> {
  const { search, servers, limit, offset } = query;
  const pattern = likePattern(search);
  const conditions = [offered];
  if (pattern !== null)
    conditions.push(
      sql`(t.name ilike ${pattern} or t.description ilike ${pattern} or t.server ilike ${pattern})`,
    );
  if (servers !== null) conditions.push(sql`t.server = any(${[...servers]}::text[])`);
  const fitting = sql.join(conditions, sql` and `);
  const { rows } = await sql<ToolRow>`select ${columns} from mcp_tools t where ${fitting}
    order by t.server, t.name limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*) as total from mcp_tools t
    where ${fitting}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export interface ChangedToolRow extends ToolRow {
  inputSchema: object;
  annotations: object;
  fingerprint: string;
  isNew: boolean;
  seenAt: Date;
}

const changedColumns = sql`${columns}, t.input_schema as "inputSchema", t.annotations, t.fingerprint,
  t.approved_fingerprint is null as "isNew", t.seen_at as "seenAt"`;

export async function listChanged(
  db: Db,
  { limit, offset }: Page,
): Promise<{ rows: ChangedToolRow[]; total: number }> {
  const { rows } =
    await sql<ChangedToolRow>`select ${changedColumns} from mcp_tools t where t.state = 'changed'
    order by t.server, t.name limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*) as total from mcp_tools
    where state = 'changed'`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export interface ToolState {
  id: string;
  fingerprint: string;
  state: "approved" | "changed" | "gone";
}

/** Locks the tools until the transaction ends. */
export async function lockTools(db: Db, ids: readonly string[]): Promise<Map<string, ToolState>> {
  const { rows } = await sql<ToolState>`select id, fingerprint, state from mcp_tools
    where id = any(${[...ids]}::text[]) order by id for update`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Approves changed tools in their present form. */
export async function approveTools(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update mcp_tools set state = 'approved', approved_fingerprint = fingerprint
    where id = any(${[...ids]}::text[]) and state = 'changed'`.execute(db);
}
