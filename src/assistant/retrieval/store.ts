/** Reads the index for searches, and the rows of its vectors. */
import { type Db, inTransaction, type Database } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { wordsIn } from "../../platform/db/word-search.ts";
import type { DocumentKind } from "./passages.ts";
import type { QueryTerm } from "./words.ts";

export interface LexicalQuery {
  terms: readonly QueryTerm[];
  kinds: readonly DocumentKind[];
  /** Keys of records to search in; all when left out. */
  keys?: readonly string[] | undefined;
  limit: number;
}

/** Weights of the letters D, C, B, A: texts have D, descriptions and phrases in which people ask C, names B, titles A. */
const weights = sql.lit("{0.08, 0.3, 0.5, 1.0}");
/** The limit of passages whose score is computed. */
const maxHits = 100;
/** A word that stands in a larger part of all passages finds nothing alone. */
const commonPart = 0.3;
/** The most that a rare word counts, so that one which happens to be rare outweighs not all the others. */
const mostOfRare = 3;
/** Shorter words have to match as they are. */
const shortestBeginning = 3;
/** What the beginning of a longer word counts. */
const factorOfBeginning = 0.4;
/** A rank in one passage that counts half of the most that a term can. */
const halfRank = 0.25;
/** Short passages come first: one of so many words is the measure, and the logarithm of the ratio counts this much. */
const usualWords = 40;
const factorOfLength = 0.2;

export interface LexicalHit {
  id: number;
  score: number;
}

/**
 * Documents with at least one of the terms, best first. Of each group of terms the best one counts: the more, the rarer
 * it is and the more prominent its place. A word that stands nowhere is taken for the beginning of longer ones.
 */
export async function findLexical(db: Db, query: LexicalQuery): Promise<LexicalHit[]> {
  const { terms, kinds, keys, limit } = query;
  if (terms.length === 0) return [];
  const ofKeys = keys === undefined ? sql`true` : sql`d.key = any(${[...keys]}::text[])`;
  const { rows } = await sql<LexicalHit>`with given as (
      select term_group, text, factor, is_own, tsvector_to_array(to_tsvector('english', text)) as lexemes
      from unnest(${terms.map(({ group }) => group)}::int[], ${terms.map(({ text }) => text)}::text[],
        ${terms.map(({ factor }) => factor)}::float8[], ${terms.map(({ isOwn }) => isOwn)}::bool[])
        as t (term_group, text, factor, is_own)),
    known as materialized (
      select term_group, text, factor, is_own, greatest(i.counted, 1)::float8 as total,
        (select min(coalesce((select w.documents from assistant_words w where w.lexeme = l.lexeme), 0))
          from unnest(g.lexemes) as l (lexeme)) as documents
      from given g, assistant_index i where g.lexemes <> '{}'),
    terms as materialized (
      select term_group, documents <= total * ${commonPart}::float8 as is_rare,
        factor * least(${mostOfRare}::float8, ln(1 + total / (2 + documents))) * case documents when 0 then ${factorOfBeginning}::float8 else 1 end as weight,
        case when documents = 0 and length(text) >= ${shortestBeginning}
          then to_tsquery('english', text || ':*') else phraseto_tsquery('english', text) end as term
      from known where is_own or documents > 0),
    asked as (
      select coalesce(string_agg(term::text, ' | ') filter (where is_rare),
        string_agg(term::text, ' | '))::tsquery as any_of
      from terms),
    hits as materialized (
      -- The empty vector makes a copy that is not compressed, which is read once for each term.
      select d.id, d.words || ''::tsvector as words
      from assistant_documents d, asked
      where d.words @@ asked.any_of and d.kind = any(${[...kinds]}::text[]) and ${ofKeys}
      order by ts_rank(${weights}::float4[], d.words, asked.any_of) desc, d.id limit ${maxHits}),
    scored as (
      select h.id, length(h.words) as size, max(t.weight * r.rank / (r.rank + ${halfRank}::float8)) as score
      from hits h, terms t, ts_rank(${weights}::float4[], h.words, t.term) as r (rank)
      where r.rank > 0
      group by h.id, size, t.term_group)
    select id, sum(score) / (1 + ${factorOfLength}::float8 * ln(1 + size / ${usualWords}::float8)) as score
    from scored group by id, size order by score desc, id limit ${limit}`.execute(db);
  return rows;
}

export interface FoundDocument {
  id: number;
  kind: DocumentKind;
  key: string;
  title: string;
  body: string;
  reference: string;
  /** What its phrases have as their key, if it has any: the reference, or of a skill the name that the product ships it by. */
  phrasesKey: string;
}

export async function readDocuments(db: Db, ids: readonly number[]): Promise<Map<number, FoundDocument>> {
  const { rows } = await sql<FoundDocument>`select id, kind, key, title, body, reference,
      coalesce(case kind when 'skill' then (select s.platform_key from assistant_skills s where s.id = key::uuid)
        else reference end, '') as "phrasesKey"
    from assistant_documents where id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface FoundAgent {
  id: string;
  name: string;
  label: string;
  description: string;
}

const agentWords = wordsIn("name || ' ' || label");

/** Enabled agents by the beginnings of words of their names; there are so few that they need no index. */
export async function findAgents(
  db: Db,
  { words, limit }: { words: Sql; limit: number },
): Promise<FoundAgent[]> {
  const { rows } = await sql<FoundAgent>`select id, name, label, description from assistant_agents
    where enabled and ${agentWords} @@ ${words} order by length(label), id limit ${limit}`.execute(db);
  return rows;
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
  /** How well the vectors agree with the words, from 0 to 1; null when that was not measured yet. */
  agreement: number | null;
  /** The last failure, until it is resolved. */
  error: string | null;
  retryAt: Date | null;
}

export async function readIndexState(db: Db): Promise<IndexState> {
  const { rows } =
    await sql<IndexState>`select s.compared_at as "updatedAt", coalesce(s.documents, 0) as documents,
      m.version as embedder, i.embedder as "vectorsOf", i.vectors, i.waiting, i.vector_changes as "vectorChanges",
      case when i.agreement_of = m.version then i.agreement end as agreement,
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

/** A title that a question is made of. */
export interface TitledDocument {
  id: number;
  title: string;
}

/** Documents with a title of several words, one for each title, in an order that stays the same. */
export async function readTitles(db: Db, limit: number): Promise<TitledDocument[]> {
  const { rows } = await sql<TitledDocument>`select id, title from (
      select distinct on (d.title) d.id, d.title, d.kind, d.key from assistant_documents d
      join assistant_vectors v on v.document_id = d.id and v.vector is not null
      where d.title ~ '[[:alpha:]] [[:alpha:]]' order by d.title, d.id) as titled
    order by md5(kind || ' ' || key || ' ' || title) limit ${limit}`.execute(db);
  return rows;
}

export interface SampledVector extends TitledDocument {
  packed: Buffer;
}

/** Vectors of these documents, and of others in an order that stays the same. */
export async function readSample(
  db: Db,
  { ids, limit }: { ids: readonly number[]; limit: number },
): Promise<SampledVector[]> {
  const { rows } = await sql<SampledVector>`select d.id, d.title, v.vector as packed
    from assistant_vectors v join assistant_documents d on d.id = v.document_id where v.vector is not null
    order by d.id = any(${[...ids]}::bigint[]) desc, md5(d.id::text) limit ${limit}`.execute(db);
  return rows;
}

export async function writeAgreement(
  db: Db,
  { embedder, agreement }: { embedder: string; agreement: number },
): Promise<void> {
  await sql`update assistant_index set agreement = ${agreement}, agreement_of = ${embedder},
    agreement_documents = (select count(*) from assistant_documents)`.execute(db);
}

/** Deletes all vectors, when no embedder is configured any more. */
export async function dropVectors(db: Db): Promise<void> {
  await sql`delete from assistant_vectors`.execute(db);
  await sql`update assistant_index set embedder = null, agreement = null, agreement_of = null, vectors = 0, waiting = 0, vector_error = null,
    vector_failures = 0, vector_retry_at = null, vector_changes = vector_changes + 1`.execute(db);
}
