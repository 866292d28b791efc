/** Rows of policies and of their versions. */
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { wordsIn } from "../../platform/db/word-search.ts";
import type { PolicyRow, VersionRow } from "./policy.ts";
import type { PolicyContent, PolicyQuery } from "./schema.ts";
import type { PolicyStatus } from "./transitions.ts";

const columns = sql.raw(`p.id, p.version, p.status, p.grace_until as "graceUntil", v.content,
  p.created_at as "createdAt", p.created_by as "createdBy", p.updated_at as "updatedAt", p.updated_by as "updatedBy"`);
const source = sql.raw(`policies p join policy_versions v on v.policy_id = p.id and v.version = p.version`);

export interface Change {
  at: Date;
  by: string;
}

/** The version of the new row; null when the id is taken. One that was deleted goes on with its next version. */
export async function insertPolicy(
  db: Db,
  policy: { id: string; content: PolicyContent },
  { at, by }: Change,
): Promise<number | null> {
  const { rows } = await sql<{ version: number }>`
    insert into policies as p (id, version, status, created_at, created_by, updated_at, updated_by)
    values (${policy.id}, 1, 'draft', ${at}, ${by}, ${at}, ${by})
    on conflict (id) do update set version = p.version + 1, status = 'draft', grace_until = null, deleted_at = null,
      created_at = excluded.created_at, created_by = excluded.created_by,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by
    where p.deleted_at is not null
    returning p.version`.execute(db);
  const version = rows[0]?.version;
  if (version === undefined) return null;
  await insertVersion(db, { ...policy, version }, { at, by });
  return version;
}

export async function insertVersion(
  db: Db,
  { id, version, content }: { id: string; version: number; content: PolicyContent },
  { at, by }: Change,
): Promise<void> {
  await sql`insert into policy_versions (policy_id, version, name, content, created_at, created_by)
    values (${id}, ${version}, ${content.name}, ${JSON.stringify(content)}::jsonb, ${at}, ${by})`.execute(db);
}

/** The next version; null when the policy has another one than `from`. */
export async function raiseVersion(
  db: Db,
  { id, from }: { id: string; from: number },
  { at, by }: Change,
): Promise<number | null> {
  const { rows } = await sql<{ version: number }>`
    update policies set version = version + 1, updated_at = ${at}, updated_by = ${by}
    where id = ${id} and version = ${from} and deleted_at is null returning version`.execute(db);
  return rows[0]?.version ?? null;
}

export interface StatusChange {
  id: string;
  from: PolicyStatus;
  to: PolicyStatus;
  graceUntil: Date | null;
}

/** False when the policy has another status than `from`. */
export async function updateStatus(db: Db, change: StatusChange, { at, by }: Change): Promise<boolean> {
  const { rows } = await sql`update policies set status = ${change.to}, grace_until = ${change.graceUntil},
      updated_at = ${at}, updated_by = ${by}
    where id = ${change.id} and status = ${change.from} and deleted_at is null returning id`.execute(db);
  return rows.length > 0;
}

/** False when it is no draft. */
export async function markDeleted(db: Db, id: string, { at, by }: Change): Promise<boolean> {
  const { rows } = await sql`update policies set deleted_at = ${at}, updated_at = ${at}, updated_by = ${by}
    where id = ${id} and status = 'draft' and deleted_at is null returning id`.execute(db);
  return rows.length > 0;
}

export async function readPolicy(db: Db, id: string): Promise<PolicyRow | null> {
  const { rows } = await sql<PolicyRow>`select ${columns} from ${source}
    where p.id = ${id} and p.deleted_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Whether the policy is there; it is not deleted before the end of the transaction. */
export async function holdPolicy(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select id from policies where id = ${id} and deleted_at is null
    for share`.execute(db);
  return rows.length > 0;
}

/** Ids of the exceptions from the policy that could still excuse, which are now revoked. */
export async function revokeExceptionsFrom(db: Db, policyId: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update exceptions set status = 'revoked', updated_at = ${at}
    where policy_id = ${policyId} and status in ('pending', 'approved') and until > ${at} returning id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** The newest first; those of a deleted policy too. */
export async function readVersions(db: Db, id: string): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`select version, content, created_at as "createdAt",
      created_by as "createdBy"
    from policy_versions where policy_id = ${id} order by version desc limit 1000`.execute(db);
  return rows;
}

/** Those of the ids that are there; for what refers to policies. */
export async function readPolicies(db: Db, ids: readonly string[]): Promise<PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`select ${columns} from ${source}
    where p.id = any(${ids}::text[]) and p.deleted_at is null`.execute(db);
  return rows;
}

/** All that are in grace or enabled. */
export async function readInForce(db: Db): Promise<PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`select ${columns} from ${source}
    where p.status in ('grace', 'enabled') and p.deleted_at is null order by v.name, p.id`.execute(db);
  return rows;
}

export interface FoundPolicy {
  id: string;
  name: string;
  status: PolicyStatus;
}

const policyWords = wordsIn("policy_id || ' ' || name");

/** By the beginnings of words of the id or the name of the version that counts. */
export async function findPolicies(
  db: Db,
  { typed, words, limit }: { typed: string; words: Sql; limit: number },
): Promise<FoundPolicy[]> {
  const { rows } = await sql<FoundPolicy>`select p.id, v.name, p.status from policy_versions v
    join policies p on p.id = v.policy_id and p.version = v.version
    where (v.policy_id, v.version) in (select policy_id, version from policy_versions where ${policyWords} @@ ${words})
      and p.deleted_at is null
    order by (lower(p.id) = ${typed} or lower(v.name) = ${typed}) desc, length(v.name), p.id limit ${limit}`.execute(
    db,
  );
  return rows;
}

const sortColumns = { name: "v.name", status: "p.status", updatedAt: "p.updated_at" } as const;

export async function listPolicies(
  db: Db,
  query: PolicyQuery,
): Promise<{ rows: PolicyRow[]; total: number }> {
  const condition = conditionOf(query);
  const direction = query["sort-order"] === "desc" ? sql`desc` : sql`asc`;
  const { rows } = await sql<PolicyRow>`select ${columns} from ${source} where ${condition}
    order by ${sql.raw(sortColumns[query["sort-by"]])} ${direction}, p.id ${direction}
    limit ${query.limit} offset ${query.offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*) as total from ${source}
    where ${condition}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

function conditionOf(query: PolicyQuery): Sql {
  const anyOf = (values: readonly string[], expression: string): Sql[] =>
    values.length === 0 ? [] : [sql`${sql.raw(expression)} = any(${values}::text[])`];
  const pattern = query.text === undefined ? null : `%${query.text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const environments = query.env;
  const parts = [
    sql`p.deleted_at is null`,
    ...anyOf(query.status, "p.status"),
    ...anyOf(query.trigger, "v.content->>'trigger'"),
    ...anyOf(query.kind, "v.content->>'kind'"),
    ...anyOf(query.engine, "v.content->>'engine'"),
    ...anyOf(
      query["resource-type"].map((each) => each.toLowerCase()),
      "lower(v.content->>'resourceType')",
    ),
    ...anyOf(query["id-in"], "p.id"),
    ...(environments.length === 0
      ? []
      : [sql`(v.content->'environments' = '[]' or v.content->'environments' ?| ${environments}::text[])`]),
    ...(pattern === null
      ? []
      : [
          sql`(v.name ilike ${pattern} or v.content->>'description' ilike ${pattern}
            or exists (select from jsonb_array_elements_text(v.content->'tags') as tag where tag ilike ${pattern}))`,
        ]),
  ];
  return sql.join(parts, sql` and `);
}

/** A number that is raised by each change of policies or of exceptions. */
export async function readRevision(db: Db): Promise<string> {
  const { rows } = await sql<{ revision: string }>`
    select coalesce(string_agg(revision::text, '.' order by what), '') as revision from revisions`.execute(
    db,
  );
  return rows[0]?.revision ?? "";
}

export async function raiseRevision(db: Db, what: "exceptions" | "ownership" | "policies"): Promise<void> {
  await sql`update revisions set revision = revision + 1 where what = ${what}`.execute(db);
}

/** True for the first that asks. */
export async function markFirstStart(db: Db, what: string, at: Date): Promise<boolean> {
  const { rows } = await sql`insert into first_starts (what, at) values (${what}, ${at})
    on conflict (what) do nothing returning what`.execute(db);
  return rows.length > 0;
}
