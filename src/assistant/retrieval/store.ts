/** Reads the index for searches. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import type { DocumentKind } from "./knowledge.ts";

export interface LexicalQuery {
  /** Terms of a tsquery, see words.ts. */
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
