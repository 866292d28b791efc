/** Writes rows of the index. One process at a time does so; if there should be two, the last write wins. */
import { inTransaction, type Database, type Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { DocumentKind, SkillSource, ToolSourceRow } from "./passages.ts";

export interface SourceState {
  mark: string;
  /** Null when it was never compared to the end. */
  comparedAt: Date | null;
}

export interface IndexProgress {
  sources: Map<string, SourceState>;
  /** Version of the configured embedder; null for none. */
  embedder: string | null;
  vectorsOf: string | null;
  vectors: number;
  waiting: number;
  failures: number;
  retryAt: Date | null;
  /** Whether the agreement of the embedder was measured, and with at least half of the present passages. */
  isMeasured: boolean;
}

export async function readProgress(db: Db): Promise<IndexProgress> {
  const { rows } = await sql<
    Omit<IndexProgress, "sources"> & { sources: { kind: string; mark: string; at: number | null }[] }
  >`select m.version as embedder, i.embedder as "vectorsOf", i.vectors, i.waiting,
      i.vector_failures as failures, i.vector_retry_at as "retryAt",
      coalesce(i.agreement_of = m.version and i.agreement_documents * 2 >= i.vectors, false) as "isMeasured",
      (select coalesce(json_agg(json_build_object('kind', kind, 'mark', mark,
        'at', extract(epoch from compared_at) * 1000)), '[]') from assistant_index_sources) as sources
    from assistant_index i left join assistant_models m on m.kind = 'embedder' and m.provider <> ''`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("The row of the index is missing.");
  const sources = row.sources.map(
    ({ kind, mark, at }) => [kind, { mark, comparedAt: at === null ? null : new Date(at) }] as const,
  );
  return { ...row, sources: new Map(sources) };
}

/** How long the lease of a silent process lasts. */
const leaseSeconds = 30;

/** Takes or renews the lease; false when another process has it. */
export async function takeLease(db: Db, workerId: string): Promise<boolean> {
  const { rows } = await sql`update assistant_index set lease_by = ${workerId},
      lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where lease_by is null or lease_by = ${workerId} or lease_until < clock_timestamp()
    returning lease_by`.execute(db);
  return rows.length > 0;
}

export async function releaseLease(db: Db, workerId: string): Promise<void> {
  await sql`update assistant_index set lease_by = null, lease_until = null
    where lease_by = ${workerId}`.execute(db);
}

/** The version of each indexed record by key. */
export async function readIndexed(db: Db, kind: DocumentKind): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; version: string }>`select key, version from assistant_documents
    where kind = ${kind} and part = 0`.execute(db);
  return new Map(rows.map(({ key, version }) => [key, version]));
}

export interface DocumentRow {
  key: string;
  part: number;
  title: string;
  body: string;
  reference: string;
  hash: string;
  /** Words of title, names and text, see `searchable` in words.ts. */
  titleWords: string;
  nameWords: string;
  leadWords: string;
  askedWords: string;
  bodyWords: string;
}

export interface Batch {
  kind: DocumentKind;
  /** The version of each record of the batch by key; null when it is gone. */
  versions: ReadonlyMap<string, string | null>;
  /** All parts of the records that exist. */
  rows: readonly DocumentRow[];
  at: Date;
}

/** Writes the changed rows of these records. */
export async function writeBatch(
  database: Database,
  { kind, versions, rows, at }: Batch,
): Promise<{ written: number; deleted: number }> {
  const keys = [...versions.keys()];
  return inTransaction(database, async (tx) => {
    const { rows: present } = await sql<{
      key: string;
      part: number;
      hash: string;
    }>`select key, part, hash from assistant_documents where kind = ${kind} and key = any(${keys}::text[])
      order by id for update`.execute(tx);
    const nameOf = ({ key, part }: { key: string; part: number }): string => `${part} ${key}`;
    const known = new Map(present.map((row) => [nameOf(row), row.hash]));
    const wanted = new Set(rows.map(nameOf));
    const changed = rows.filter((row) => known.get(nameOf(row)) !== row.hash);
    const gone = present.filter((row) => !wanted.has(nameOf(row)));
    await deleteParts(tx, kind, gone);
    await upsertParts(tx, { kind, at, rows: changed });
    const lasting = keys.filter((key) => versions.get(key) !== null);
    await sql`update assistant_documents d set version = g.version
      from unnest(${lasting}::text[], ${lasting.map((key) => versions.get(key) ?? "")}::text[]) as g (key, version)
      where d.kind = ${kind} and d.key = g.key and d.part = 0 and d.version <> g.version`.execute(tx);
    return { written: changed.length, deleted: gone.length };
  });
}

async function deleteParts(
  db: Db,
  kind: DocumentKind,
  parts: readonly { key: string; part: number }[],
): Promise<void> {
  if (parts.length === 0) return;
  await sql`delete from assistant_documents d
    using unnest(${parts.map(({ key }) => key)}::text[], ${parts.map(({ part }) => part)}::int[]) as g (key, part)
    where d.kind = ${kind} and d.key = g.key and d.part = g.part`.execute(db);
}

/** Vectors of the former text are deleted. */
async function upsertParts(
  db: Db,
  { kind, at, rows }: { kind: DocumentKind; at: Date; rows: readonly DocumentRow[] },
): Promise<void> {
  if (rows.length === 0) return;
  const { rows: written } = await sql<{ id: number }>`insert into assistant_documents
      (kind, key, part, title, body, reference, hash, words, indexed_at)
    select ${kind}, r.key, r.part, r.title, r.body, r.reference, r.hash,
      setweight(to_tsvector('english', r."titleWords"), 'A')
        || setweight(to_tsvector('english', r."nameWords"), 'B')
        || setweight(to_tsvector('english', r."leadWords"), 'C')
        || setweight(to_tsvector('english', r."askedWords"), 'C')
        || setweight(to_tsvector('english', r."bodyWords"), 'D'), ${at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(key text, part int, title text, body text,
      reference text, hash text, "titleWords" text, "nameWords" text, "leadWords" text, "askedWords" text,
      "bodyWords" text)
    on conflict (kind, key, part) do update set title = excluded.title, body = excluded.body,
      reference = excluded.reference, hash = excluded.hash, words = excluded.words,
      indexed_at = excluded.indexed_at
    returning id`.execute(db);
  await sql`delete from assistant_vectors
    where document_id = any(${written.map(({ id }) => id)}::bigint[])`.execute(db);
  await sql`update assistant_index set waiting = waiting + ${written.length}
    where embedder is not null`.execute(db);
}

/** A change of so many passages, and of this part of all, lets the words be counted anew. */
const countedEvery = 20;
const countedPart = 0.05;

/** Counts in how many passages each word stands, unless little has changed since. */
export async function countWords(database: Database, changed: number): Promise<void> {
  await inTransaction(database, async (tx) => {
    const { rows } = await sql<{
      due: boolean;
    }>`with now_there as (select count(*)::int as n from assistant_documents)
      update assistant_index i set changed = case when d.due then 0 else i.changed + ${changed}::int end, counted = n
      from (select n, i0.changed + ${changed}::int > greatest(${countedEvery}::int, n * ${countedPart}::float8) as due
        from assistant_index i0, now_there) d
      returning d.due`.execute(tx);
    if (rows[0]?.due !== true) return;
    await sql`delete from assistant_words`.execute(tx);
    await sql`insert into assistant_words (lexeme, documents)
      select word, ndoc from ts_stat('select words from assistant_documents')`.execute(tx);
  });
}

export async function noteCompared(
  db: Db,
  { kind, mark, at }: { kind: DocumentKind; mark: string; at: Date },
): Promise<void> {
  await sql`insert into assistant_index_sources (kind, mark, documents, compared_at, error)
    values (${kind}, ${mark}, (select count(*) from assistant_documents where kind = ${kind}), ${at}, null)
    on conflict (kind) do update set mark = excluded.mark, documents = excluded.documents,
      compared_at = excluded.compared_at, error = null`.execute(db);
}

/** The mark stays as it is, so that the source is compared again. */
export async function noteFailed(db: Db, kind: DocumentKind, error: string): Promise<void> {
  await sql`insert into assistant_index_sources (kind, error) values (${kind}, ${error})
    on conflict (kind) do update set error = excluded.error`.execute(db);
}

// Reads the assistant's own records for the index.

interface Version {
  key: string;
  version: string;
}

const byKey = (rows: readonly Version[]): Map<string, string> =>
  new Map(rows.map(({ key, version }) => [key, version]));

/** Further records of one kind are not indexed. */
const maxRecords = 100_000;

export async function readSkillVersions(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<Version>`select id as key, updated_at::text as version from assistant_skills
    order by id limit ${maxRecords}`.execute(db);
  return byKey(rows);
}

export async function readSkillSources(db: Db, ids: readonly string[]): Promise<SkillSource[]> {
  const { rows } =
    await sql<SkillSource>`select id, platform_key as "platformKey", name, description, content,
      array(select (t ->> 'server') || ':' || (t ->> 'name') from jsonb_array_elements(mcp_tools) t) as tools
    from assistant_skills where id = any(${[...ids]}::uuid[])`.execute(db);
  return rows;
}

/** Only approved tools are indexed: of changed ones the approved description is not stored. */
const offered = sql`state = 'approved'`;

export async function readToolVersions(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<Version>`select id as key, fingerprint as version from mcp_tools where ${offered}
    order by id limit ${maxRecords}`.execute(db);
  return byKey(rows);
}

export async function readToolSources(db: Db, ids: readonly string[]): Promise<ToolSourceRow[]> {
  const { rows } = await sql<ToolSourceRow>`select id, name, annotations ->> 'title' as title, description,
      input_schema as "inputSchema"
    from mcp_tools where id = any(${[...ids]}::text[]) and ${offered}`.execute(db);
  return rows;
}
