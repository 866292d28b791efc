/** Searches by words, and by meaning as well when an embedder is configured. */
import { authorize, isAllowed } from "../../platform/auth/policy.ts";
import type { Db } from "../../platform/db/database.ts";
import type { AssistantContext, AssistantDeps } from "../context.ts";
import { documentKinds, ruleOfKind, type DocumentKind } from "./passages.ts";
import type { IndexView, SearchAnswer } from "./schema.ts";
import {
  findLexical,
  readDocuments,
  readIds,
  readIndexState,
  type FoundDocument,
  type IndexState,
  type LexicalHit,
} from "./store.ts";
import { excerptOf } from "./excerpt.ts";
import { scoreByPhrases, weightOfWords, type PhraseScores } from "./phrases/score.ts";
import { queryTerms, queryWords } from "./words.ts";

type Deps = Pick<AssistantDeps, "database" | "vectorSearch">;

export interface SearchQuery {
  query: string;
  /** Empty for all kinds that the caller may read. */
  kinds: readonly DocumentKind[];
  limit: number;
}

/** Passages of each ranking; several may be of one record. */
const maxPassages = 100;

/** Sections of one page are about different things, so the best one may hide the one that answers. */
const sectionsOfPage = 3;

/** The best passage of each record, and of a page up to three sections, best first. */
export async function searchKnowledge(ctx: AssistantContext, asked: SearchQuery): Promise<SearchAnswer> {
  const { query, limit } = asked;
  const wanted = asked.kinds.length === 0 ? documentKinds : asked.kinds;
  for (const kind of asked.kinds) authorize(ctx.actor, ruleOfKind[kind]);
  const kinds = wanted.filter((kind) => isAllowed(ctx.actor, ruleOfKind[kind]));
  const db = ctx.assistant.database.db;
  const state = await readIndexState(db);
  if (kinds.length === 0) return { data: [], meta: { mode: "lexical", index: viewOf(state) } };
  const words = queryWords(query);
  const [lexical, semantic] = await Promise.all([
    findLexical(db, { terms: queryTerms(query), kinds, limit: maxPassages }),
    ctx.assistant.vectorSearch.search({ state, text: query, kinds, limit: maxPassages }),
  ]);
  const found = [...new Set([...lexical.map(({ id }) => id), ...(semantic ?? [])])];
  const documents = await readDocuments(db, found);
  const byWords = withPhrases(lexical, await scoreByPhrases(query), (id) => documents.get(id));
  const ranked = fuse({ words: byWords, vectors: semantic ?? [], weight: weightOf(state) });
  const best = bestOfRecords(ranked, documents, (id) => ctx.assistant.vectorSearch.forget(id));
  return {
    data: best.slice(0, limit).map(({ document, score }) => ({
      kind: document.kind,
      key: document.key,
      title: document.title,
      excerpt: excerptOf(document.body, words),
      score: Math.round(score * 1e6) / 1e6,
      reference: document.reference,
    })),
    meta: { mode: semantic === null ? "lexical" : "fused", index: viewOf(state) },
  };
}

export interface FoundPage {
  reference: string;
  title: string;
  excerpt: string;
  /** From 0 to 1. */
  score: number;
}

/** Sections of pages by words alone, while somebody types; the last word may be a beginning where it stands nowhere. */
export async function findPages(
  db: Db,
  { text, limit }: { text: string; limit: number },
): Promise<FoundPage[]> {
  const found = await findLexical(db, { terms: queryTerms(text), kinds: ["page"], limit });
  const documents = await readDocuments(
    db,
    found.map(({ id }) => id),
  );
  const most = found[0]?.score ?? 1;
  const words = queryWords(text);
  const ranked = bestOfRecords(found, documents, () => undefined);
  return ranked.map(({ document, score }) => ({
    reference: document.reference,
    title: document.title,
    excerpt: excerptOf(document.body, words, 160),
    score: Math.round((score / most) * 1_000) / 1_000,
  }));
}

/** Of each record the first passage, of a page those of the first sections. What is gone from the index is forgotten. */
function bestOfRecords(
  ranked: readonly { id: number; score: number }[],
  documents: ReadonlyMap<number, FoundDocument>,
  forget: (id: number) => void,
): { document: FoundDocument; score: number }[] {
  const shown = new Map<string, Set<string>>();
  return ranked.flatMap(({ id, score }) => {
    const document = documents.get(id);
    if (document === undefined) {
      forget(id);
      return [];
    }
    const { kind, key, reference } = document;
    const name = `${kind} ${key}`;
    const references = shown.get(name) ?? new Set<string>();
    if (references.has(reference) || references.size === (kind === "page" ? sectionsOfPage : 1)) return [];
    shown.set(name, references.add(reference));
    return [{ document, score }];
  });
}

const viewOf = (state: IndexState): IndexView => ({
  updated_at: state.updatedAt?.toISOString() ?? null,
  documents: state.documents,
  has_embedder: state.embedder !== null,
  waiting_for_vectors: waitingOf(state),
  last_error: state.error,
  retry_at: state.error === null ? null : (state.retryAt?.toISOString() ?? null),
});

/** Vectors of the former embedder do not count. */
function waitingOf({ embedder, vectorsOf, documents, waiting }: IndexState): number {
  if (embedder === null) return 0;
  return embedder === vectorsOf ? waiting : documents;
}

export interface RankQuery {
  kind: "tool" | "skill";
  query: string;
  /** Ids of skills, or of tools as `server:name`. */
  keys: readonly string[];
  limit: number;
}

/**
 * The keys that match the query best, best first. Keys that are not in the index or do not match come last, in the given
 * order.
 */
export async function rankKeys(deps: Deps, { kind, query, keys, limit }: RankQuery): Promise<string[]> {
  const db = deps.database.db;
  const [state, keyOf] = await Promise.all([readIndexState(db), readIds(db, kind, keys)]);
  const [lexical, semantic] = await Promise.all([
    findLexical(db, { terms: queryTerms(query), kinds: [kind], keys, limit: maxPassages }),
    deps.vectorSearch.search({
      state,
      text: query,
      kinds: [kind],
      ids: new Set(keyOf.keys()),
      limit: maxPassages,
    }),
  ]);
  const documents = await readDocuments(
    db,
    lexical.map(({ id }) => id),
  );
  const byWords = withPhrases(lexical, await scoreByPhrases(query), (id) => documents.get(id));
  const ranked = fuse({ words: byWords, vectors: semantic ?? [], weight: weightOf(state) }).flatMap(
    ({ id }) => keyOf.get(id) ?? [],
  );
  return [...new Set([...ranked, ...keys])].slice(0, limit);
}

/**
 * The constant of reciprocal rank fusion. It is small, so that the first places count most: with the usual 60 a passage that both
 * rankings have far down comes before the first one of either.
 */
const damping = 10;

/** Below this agreement vectors only follow the words, from the other on they count as much. */
const leastAgreement = 0.3;
const fullAgreement = 0.6;

/** What the ranking of the vectors counts beside that of the words. */
export const weightOf = ({ agreement }: Pick<IndexState, "agreement">): number =>
  Math.min(1, Math.max(0, ((agreement ?? 0) - leastAgreement) / (fullAgreement - leastAgreement)));

/** Of records without phrases so many are compared with the question, by the title and the beginning of the text. */
const comparedTexts = 20;
const comparedLength = 300;

/**
 * Ids of passages that the words have found, best first: by their score, of which the best has 1, and by how much the question is
 * like their phrases. The phrases count for the first passage of those with one key. Where there are none, as for records of the
 * installation, the title and the beginning of the text stand for them.
 */
export function withPhrases(
  found: readonly LexicalHit[],
  scores: PhraseScores,
  documentOf: (id: number) => Pick<FoundDocument, "title" | "body" | "phrasesKey"> | undefined,
): number[] {
  const most = found[0]?.score ?? 1;
  const seen = new Set<string>();
  let compared = 0;
  return found
    .map(({ id, score }) => {
      const { title = "", body = "", phrasesKey = "" } = documentOf(id) ?? {};
      let like = 0;
      const ofKey = scores.ofKey(phrasesKey);
      if (ofKey !== undefined) {
        if (!seen.has(phrasesKey)) like = ofKey;
        seen.add(phrasesKey);
      } else if ((compared += 1) <= comparedTexts)
        like = scores.ofText(`${title} ${body.slice(0, comparedLength)}`);
      return { id, score: (weightOfWords * score) / most + like };
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ id }) => id);
}

interface Rankings {
  words: readonly number[];
  vectors: readonly number[];
  /** What the ranking of the vectors counts. */
  weight: number;
}

/** Reciprocal rank fusion: ids with their score, best first. With weight 0 what the vectors alone find follows the words. */
export function fuse({ words, vectors, weight }: Rankings): { id: number; score: number }[] {
  const scores = new Map<number, number>();
  const add = (id: number, place: number, factor: number): void => {
    scores.set(id, (scores.get(id) ?? 0) + factor / (damping + place + 1));
  };
  for (const [place, id] of words.entries()) add(id, place, 1);
  for (const [place, id] of vectors.entries()) add(id, place, Math.max(weight, 1e-6));
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .toSorted((a, b) => b.score - a.score || a.id - b.id);
}
