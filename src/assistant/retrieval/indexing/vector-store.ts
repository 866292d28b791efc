/** Writes rows of vectors. */
import { sql } from "kysely";
import { inTransaction, type Database, type Db } from "../../../platform/db/database.ts";

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

export interface VectorFailure {
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
