/** Reads the index for searches, and the rows of its vectors. */
import { type Db, inTransaction, type Database } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { DocumentKind } from "./passages.ts";

export interface LexicalQuery {
  /** Terms of a tsquery, see `queryTerms` in passages.ts. */
  terms: readonly string[];
  kinds: readonly DocumentKind[];
  /** Keys of records to search in; all when left out. */
  keys?: readonly string[] | undefined;
  limit: number;
}

/** Weights of the letters D, C, B, A: texts have D, names B, titles A. */
const weights = "{0.2, 0.4, 0.7, 1.0}";
/** The limit of hits, the best by `ts_rank`, that are ordered by the number of matching words. */
const maxHits = 200;

/** Ids of documents with at least one of the words; those with most of them first. */
export async function findLexical(db: Db, query: LexicalQuery): Promise<number[]> {
  const { terms, kinds, keys, limit } = query;
  if (terms.length === 0) return [];
  const ofKeys = keys === undefined ? sql`true` : sql`d.key = any(${[...keys]}::text[])`;
  const { rows } = await sql<{ id: number }>`with terms as materialized (
      select to_tsquery('english', term) as term from unnest(${[...terms]}::text[]) as given (term)),
    hits as materialized (
      select d.id, d.words, ts_rank(${weights}::float4[], d.words, q.query) as rank
      from assistant_documents d, to_tsquery('english', ${terms.join(" | ")}) as q (query)
      where d.words @@ q.query and d.kind = any(${[...kinds]}::text[]) and ${ofKeys}
      order by rank desc, d.id limit ${maxHits})
    select h.id from hits h
    order by (select count(*) from terms t where h.words @@ t.term) desc, h.rank desc, h.id
    limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export interface FoundDocument {
  id: number;
  kind: DocumentKind;
  key: string;
  title: string;
  body: string;
  reference: string;
}

export async function readDocuments(db: Db, ids: readonly number[]): Promise<Map<number, FoundDocument>> {
  const { rows } = await sql<FoundDocument>`select id, kind, key, title, body, reference
    from assistant_documents where id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The key of each document of these records, by document id. */
export async function readIds(
  db: Db,
  kind: DocumentKind,
  keys: readonly string[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; key: string }>`select id, key from assistant_documents
    where kind = ${kind} and key = any(${[...keys]}::text[])`.execute(db);
  return new Map(rows.map(({ id, key }) => [id, key]));
}

export interface IndexState {
  /** When a source was last compared; null for never. */
  updatedAt: Date | null;
  documents: number;
  /** Version of the configured embedder; null for none. */
  embedder: string | null;
  /** Version of the embedder that made the vectors. */
  vectorsOf: string | null;
  vectors: number;
  waiting: number;
  vectorChanges: number;
  /** The last failure, until it is resolved. */
  error: string | null;
  retryAt: Date | null;
}

export async function readIndexState(db: Db): Promise<IndexState> {
  const { rows } =
    await sql<IndexState>`select s.compared_at as "updatedAt", coalesce(s.documents, 0) as documents,
      m.version as embedder, i.embedder as "vectorsOf", i.vectors, i.waiting, i.vector_changes as "vectorChanges",
      coalesce(case when i.embedder = m.version then i.vector_error end, s.error) as error,
      case when i.embedder = m.version then i.vector_retry_at end as "retryAt"
    from assistant_index i
    left join assistant_models m on m.kind = 'embedder' and m.provider <> ''
    cross join (select max(compared_at) as compared_at, sum(documents)::int as documents, max(error) as error
      from assistant_index_sources) s`.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error("The row of the index is missing.");
  return state;
}

export interface StoredVector {
  id: number;
  kind: DocumentKind;
  packed: Buffer;
  seq: number;
}

/** Vectors after `seq`, in the order in which they were made. */
export async function readVectors(
  db: Db,
  { embedder, after, limit }: { embedder: string; after: number; limit: number },
): Promise<StoredVector[]> {
  const { rows } = await sql<StoredVector>`select d.id, d.kind, v.vector as packed, v.seq
    from assistant_vectors v join assistant_documents d on d.id = v.document_id
    where v.embedder = ${embedder} and v.seq > ${after} and v.vector is not null
    order by v.seq limit ${limit}`.execute(db);
  return rows;
}

/** Writes rows of vectors. */
export interface WaitingDocument {
  id: number;
  title: string;
  body: string;
}

interface WaitingQuery {
  embedder: string;
  /** Id of the last document of the page before. */
  after: number;
  limit: number;
}

/** Documents without a vector of the embedder, in the order of their ids. */
export async function readWaiting(
  db: Db,
  { embedder, after, limit }: WaitingQuery,
): Promise<WaitingDocument[]> {
  const { rows } = await sql<WaitingDocument>`select d.id, d.title, d.body from assistant_documents d
    where d.id > ${after} and not exists (select 1 from assistant_vectors v
      where v.document_id = d.id and v.embedder = ${embedder})
    order by d.id limit ${limit}`.execute(db);
  return rows;
}

export interface NewVector extends WaitingDocument {
  /** Null when the embedder refuses the document. */
  packed: Buffer | null;
}

/** A document that was changed since gets no vector of its former text. */
export async function writeVectors(
  database: Database,
  embedder: string,
  vectors: readonly NewVector[],
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const { rows } = await sql<{
      made: boolean;
    }>`insert into assistant_vectors (document_id, embedder, vector)
      select d.id, ${embedder}::uuid, decode(g.vector, 'base64')
      from unnest(${vectors.map(({ id }) => id)}::bigint[], ${vectors.map(({ title }) => title)}::text[],
        ${vectors.map(({ body }) => body)}::text[],
        ${vectors.map(({ packed }) => packed?.toString("base64") ?? null)}::text[]) as g (id, title, body, vector)
      join assistant_documents d on d.id = g.id and d.title = g.title and d.body = g.body
      for share of d
      on conflict (document_id) do update set embedder = excluded.embedder, vector = excluded.vector,
        seq = excluded.seq
      returning vector is not null as made`.execute(tx);
    const made = rows.filter((row) => row.made).length;
    await sql`update assistant_index set
        vectors = case when embedder = ${embedder} then vectors else 0 end + ${made}::int,
        waiting = greatest(0, case when embedder = ${embedder} then waiting
          else (select count(*) from assistant_documents) end - ${rows.length}::int),
        embedder = ${embedder}, vector_changes = vector_changes + 1, vector_error = null, vector_failures = 0,
        vector_retry_at = null`.execute(tx);
  });
}

/** Recounts the vectors and clears the failure. */
export async function countVectors(db: Db, embedder: string): Promise<void> {
  await sql`update assistant_index set embedder = ${embedder}, vectors = c.vectors,
      waiting = c.documents - c.tried, vector_changes = vector_changes + 1, vector_error = null,
      vector_failures = 0, vector_retry_at = null
    from (select (select count(*) from assistant_documents) as documents,
      count(*) as tried, count(vector) as vectors from assistant_vectors where embedder = ${embedder}) c`.execute(
    db,
  );
}

interface VectorFailure {
  embedder: string;
  error: string;
  retryAt: Date;
  failures: number;
}

export async function noteVectorFailure(db: Db, { embedder, error, retryAt, failures }: VectorFailure) {
  await sql`update assistant_index set embedder = ${embedder}, vector_error = ${error},
      vector_retry_at = ${retryAt}, vector_failures = ${failures},
      waiting = (select count(*) from assistant_documents d where not exists (select 1 from assistant_vectors v
        where v.document_id = d.id and v.embedder = ${embedder})),
      vectors = (select count(vector) from assistant_vectors where embedder = ${embedder}),
      vector_changes = vector_changes + 1`.execute(db);
}

/** Deletes all vectors, when no embedder is configured any more. */
export async function dropVectors(db: Db): Promise<void> {
  await sql`delete from assistant_vectors`.execute(db);
  await sql`update assistant_index set embedder = null, vectors = 0, waiting = 0, vector_error = null,
    vector_failures = 0, vector_retry_at = null, vector_changes = vector_changes + 1`.execute(db);
}
