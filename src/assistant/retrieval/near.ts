/**
 * What is near to a question by meaning, as far as there are vectors. They are kept in the memory of the process, which is
 * brought up to date when a search finds that more have been made. Whatever goes wrong here only means that the words alone
 * decide.
 */
import { createEmbedder, isOfText } from "../model-clients/embeddings.ts";
import type { AssistantDeps } from "../context.ts";
import type { Embedder } from "../model-clients/model.ts";
import { readModelVersion } from "../models/read-model.ts";
import { withoutDatabaseWait } from "../../platform/lib/database-wait.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import { documentKinds, type DocumentKind } from "./knowledge.ts";
import { readVectors, type IndexState } from "./store.ts";
import { createVectorMemory, type VectorMemory } from "./vector-memory.ts";
import { dimensionsOf, unitVector } from "./vector.ts";

export interface VectorSearch {
  /** Ids of documents, nearest first; null when words alone have to do. */
  search(wish: VectorQuery): Promise<number[] | null>;
  /** Is not there any more. */
  forget(id: number): void;
}

export interface VectorQuery {
  state: IndexState;
  query: string;
  kinds: readonly DocumentKind[];
  ids?: ReadonlySet<number> | undefined;
  limit: number;
}

export interface VectorSearchOptions extends Pick<
  AssistantDeps,
  "database" | "secrets" | "outbound" | "settings"
> {
  log: Logger;
  now: () => Date;
}

/** More of a question makes no better vector. */
const longestQuery = 2_000;
const mostKnownQueries = 200;
/** After a question that got no vector the words alone decide for so long, so that not every search waits in vain. */
const pauseMs = 10_000;
const atATime = 1_000;
/** A process that lacks vectors reads all of them again, but not more often. */
const rereadMs = 60_000;

interface LoadedVectors {
  version: string;
  embedder: Embedder;
  memory: VectorMemory | null;
  seq: number;
  changes: number;
  readAt: number;
  /** There was no room for one, so it can't have all. */
  isFull: boolean;
  queries: Map<string, Float32Array>;
}

const nothingRead = { memory: null, seq: 0, readAt: 0, isFull: false };

export function createVectorSearch(options: VectorSearchOptions): VectorSearch {
  const { log, now } = options;
  const { queryTimeoutMs } = options.settings.runs.retrieval;
  let current: LoadedVectors | null = null;
  let reading: Promise<void> = Promise.resolve();
  let pausedUntil = 0;

  const open = async (version: string): Promise<LoadedVectors | null> => {
    if (current?.version === version) return current;
    const model = await readModelVersion(options, "embedder");
    if (model?.version !== version) return null;
    const embedder = createEmbedder(embedderDeps(options, queryTimeoutMs), model.config);
    current = { version, embedder, ...nothingRead, changes: -1, queries: new Map() };
    return current;
  };
  const refreshed = async (state: IndexState): Promise<LoadedVectors | null> => {
    const vectors = state.embedder === null ? null : await open(state.embedder);
    if (vectors !== null && vectors.changes !== state.vectorChanges) await readNew(options, vectors, state);
    return vectors;
  };
  const vectorOf = async (
    { embedder, queries }: LoadedVectors,
    query: string,
  ): Promise<Float32Array | null> => {
    const known = queries.get(query);
    if (known !== undefined) return known;
    const [values = []] = await embedder.embed([query], AbortSignal.timeout(queryTimeoutMs));
    const unit = unitVector(values);
    if (unit === null) return null;
    if (queries.size >= mostKnownQueries) queries.delete(queries.keys().next().value ?? "");
    queries.set(query, unit);
    return unit;
  };

  return {
    async search({ state, query, kinds, ids, limit }) {
      if (state.embedder === null || state.embedder !== state.vectorsOf || state.vectors === 0) return null;
      if (current?.version === state.embedder && now().getTime() < pausedUntil) return null;
      const asked = query.slice(0, longestQuery).toWellFormed().trim();
      if (asked === "") return null;
      try {
        // One at a time: a search that comes meanwhile finds the vectors read. This one waits no longer than it may, but
        // what is being read serves the next.
        const underWay = withoutDatabaseWait(() => reading.then(() => refreshed(state)));
        reading = underWay.then(
          () => undefined,
          () => undefined,
        );
        const vectors = await withTimeout(underWay, queryTimeoutMs);
        if (vectors?.memory == null) return null;
        const unit = await vectorOf(vectors, asked);
        if (unit === null) return null;
        const wanted = new Set(kinds.map((kind) => documentKinds.indexOf(kind)));
        return await vectors.memory.nearest(unit, { kinds: wanted, limit, ...(ids && { ids }) });
      } catch (error) {
        if (!isOfText(error)) pausedUntil = now().getTime() + pauseMs;
        log.warn({ reason: (error as Error).message }, "a search got no vector; the words alone decided");
        return null;
      }
    },
    forget: (id) => current?.memory?.drop(id),
  };
}

async function readNew(
  { database, settings, now }: VectorSearchOptions,
  vectors: LoadedVectors,
  state: IndexState,
): Promise<void> {
  const isMissingSome = vectors.memory !== null && !vectors.isFull && vectors.memory.size() < state.vectors;
  if (isMissingSome && now().getTime() - vectors.readAt > rereadMs) Object.assign(vectors, nothingRead);
  if (vectors.seq === 0) vectors.readAt = now().getTime();
  for (;;) {
    const rows = await readVectors(database.kysely, {
      embedder: vectors.version,
      after: vectors.seq,
      limit: atATime,
    });
    for (const { id, kind, packed, seq } of rows) {
      vectors.memory ??= createVectorMemory(dimensionsOf(packed), settings.runs.retrieval.vectorBytes);
      if (!vectors.memory.put({ id, kind: documentKinds.indexOf(kind), packed })) vectors.isFull = true;
      vectors.seq = seq;
    }
    if (rows.length < atATime) break;
  }
  vectors.changes = state.vectorChanges;
}

/** Null when it takes longer; it goes on meanwhile. */
async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((done) => {
    timer = setTimeout(done, ms, null);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whoever calls has their own way to try again. */
export const embedderDeps = ({ outbound, settings, now }: VectorSearchOptions, timeoutMs: number) => ({
  outbound,
  now,
  limits: {
    ...settings.runs.models,
    attempts: 1,
    timeoutMs,
    idleMs: timeoutMs,
    answerBytes: mostAnswerBytes,
  },
});
const mostAnswerBytes = 33_554_432;
