/**
 * Finds passages by meaning, as far as there are vectors. They are held in the memory of the process, which is brought up to
 * date when a search sees that more have been made. A failure here only makes a search use words alone.
 */
import { withoutDatabaseWait } from "../../platform/lib/request-scope.ts";
import { createEmbedder, isOfText } from "../models/embeddings.ts";
import type { Embedder } from "../models/model.ts";
import { readModelVersion } from "../models/read-model.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import type { SecretBox } from "../../platform/lib/secrets/secret-box.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { AssistantSettings } from "../settings.ts";
import { documentKinds, type DocumentKind } from "./passages.ts";
import { readVectors, type IndexState } from "./store.ts";
import { createVectorMemory, type VectorMemory, dimensionsOf, unitVector } from "./vector-memory.ts";

export interface VectorSearch {
  /** Ids of documents, nearest first; null when there is no vector to search by. */
  search(query: VectorQuery): Promise<number[] | null>;
  /** Drops the vector of a document that has been deleted. */
  forget(id: number): void;
}

export interface VectorQuery {
  state: IndexState;
  /** The question as the user wrote it. */
  text: string;
  kinds: readonly DocumentKind[];
  /** Only these documents; all when left out. */
  ids?: ReadonlySet<number> | undefined;
  limit: number;
}

export interface VectorSearchOptions {
  database: Database;
  secrets: SecretBox;
  outbound: Outbound;
  settings: AssistantSettings;
  log: Logger;
  now: () => Date;
}

/** Characters of a question that are embedded; more of it makes no better vector. */
const longestQuery = 2_000;
/** Vectors of recent questions that are cached. */
const maxKnownQueries = 200;
/** After a failure the embedder is not asked for this long, so that not every search waits for it in vain. */
const pauseMs = 10_000;
/** Vectors that are read together. */
const atATime = 1_000;
/** How often at most a process that is missing vectors reads all of them again. */
const rereadMs = 60_000;

interface LoadedVectors {
  version: string;
  embedder: Embedder;
  memory: VectorMemory | null;
  seq: number;
  changes: number;
  readAt: number;
  /** The memory is full, so some vectors are missing. */
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
    if (queries.size >= maxKnownQueries) queries.delete(queries.keys().next().value ?? "");
    queries.set(query, unit);
    return unit;
  };

  return {
    async search({ state, text, kinds, ids, limit }) {
      if (state.embedder === null || state.embedder !== state.vectorsOf || state.vectors === 0) return null;
      if (current?.version === state.embedder && now().getTime() < pausedUntil) return null;
      const question = text.slice(0, longestQuery).toWellFormed().trim();
      if (question === "") return null;
      try {
        // Searches read new vectors one after the other. Reading continues for the next search when this one times out.
        const underWay = withoutDatabaseWait(() => reading.then(() => refreshed(state)));
        reading = underWay.then(
          () => undefined,
          () => undefined,
        );
        const vectors = await withTimeout(underWay, queryTimeoutMs);
        if (vectors?.memory == null) return null;
        const unit = await vectorOf(vectors, question);
        if (unit === null) return null;
        const wanted = new Set(kinds.map((kind) => documentKinds.indexOf(kind)));
        return await vectors.memory.nearest(unit, { kinds: wanted, limit, ...(ids && { ids }) });
      } catch (error) {
        if (!isOfText(error)) pausedUntil = now().getTime() + pauseMs;
        log.warn({ reason: (error as Error).message }, "a search got no vector and used words alone");
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
    const rows = await readVectors(database.db, {
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

/** Null when the work takes longer; the work continues in the background. */
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

/** Deps of a model client without retries: callers retry in their own way. */
export const embedderDeps = ({ outbound, settings, now }: VectorSearchOptions, timeoutMs: number) => ({
  outbound,
  now,
  limits: {
    ...settings.runs.models,
    attempts: 1,
    timeoutMs,
    idleMs: timeoutMs,
    answerBytes: maxAnswerBytes,
  },
});
const maxAnswerBytes = 33_554_432;
