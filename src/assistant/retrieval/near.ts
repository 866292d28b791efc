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

export interface Near {
  /** Ids of documents, nearest first; null when words alone have to do. */
  find(wish: NearWish): Promise<number[] | null>;
  /** Is not there any more. */
  forget(id: number): void;
}

export interface NearWish {
  state: IndexState;
  query: string;
  kinds: readonly DocumentKind[];
  ids?: ReadonlySet<number> | undefined;
  limit: number;
}

export interface NearOptions extends Pick<AssistantDeps, "database" | "secrets" | "outbound" | "settings"> {
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

interface Loaded {
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

export function createNear(options: NearOptions): Near {
  const { log, now } = options;
  const { queryTimeoutMs } = options.settings.runs.retrieval;
  let loaded: Loaded | null = null;
  let loading: Promise<void> = Promise.resolve();
  let pausedUntil = 0;

  const open = async (version: string): Promise<Loaded | null> => {
    if (loaded?.version === version) return loaded;
    const model = await readModelVersion(options, "embedder");
    if (model?.version !== version) return null;
    const embedder = createEmbedder(embedDeps(options, queryTimeoutMs), model.config);
    loaded = { version, embedder, ...nothingRead, changes: -1, queries: new Map() };
    return loaded;
  };
  const upToDate = async (state: IndexState): Promise<Loaded | null> => {
    const one = state.embedder === null ? null : await open(state.embedder);
    if (one !== null && one.changes !== state.vectorChanges) await readNew(options, one, state);
    return one;
  };
  const vectorOf = async ({ embedder, queries }: Loaded, query: string): Promise<Float32Array | null> => {
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
    async find({ state, query, kinds, ids, limit }) {
      if (state.embedder === null || state.embedder !== state.vectorsOf || state.vectors === 0) return null;
      if (loaded?.version === state.embedder && now().getTime() < pausedUntil) return null;
      const asked = query.slice(0, longestQuery).toWellFormed().trim();
      if (asked === "") return null;
      try {
        // One at a time: a search that comes meanwhile finds the vectors read. This one waits no longer than it may, but
        // what is being read serves the next.
        const current = withoutDatabaseWait(() => loading.then(() => upToDate(state)));
        loading = current.then(
          () => undefined,
          () => undefined,
        );
        const one = await inTime(current, queryTimeoutMs);
        if (one?.memory == null) return null;
        const unit = await vectorOf(one, asked);
        if (unit === null) return null;
        const wanted = new Set(kinds.map((kind) => documentKinds.indexOf(kind)));
        return await one.memory.nearest(unit, { kinds: wanted, limit, ...(ids && { ids }) });
      } catch (error) {
        if (!isOfText(error)) pausedUntil = now().getTime() + pauseMs;
        log.warn({ reason: (error as Error).message }, "a search got no vector; the words alone decided");
        return null;
      }
    },
    forget: (id) => loaded?.memory?.drop(id),
  };
}

async function readNew(
  { database, settings, now }: NearOptions,
  one: Loaded,
  state: IndexState,
): Promise<void> {
  const lacks = one.memory !== null && !one.isFull && one.memory.size() < state.vectors;
  if (lacks && now().getTime() - one.readAt > rereadMs) Object.assign(one, nothingRead);
  if (one.seq === 0) one.readAt = now().getTime();
  for (;;) {
    const rows = await readVectors(database.kysely, {
      embedder: one.version,
      after: one.seq,
      limit: atATime,
    });
    for (const { id, kind, packed, seq } of rows) {
      one.memory ??= createVectorMemory(dimensionsOf(packed), settings.runs.retrieval.vectorBytes);
      if (!one.memory.put({ id, kind: documentKinds.indexOf(kind), packed })) one.isFull = true;
      one.seq = seq;
    }
    if (rows.length < atATime) break;
  }
  one.changes = state.vectorChanges;
}

/** Null when it takes longer; it goes on meanwhile. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T | null> {
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
export const embedDeps = ({ outbound, settings, now }: NearOptions, timeoutMs: number) => ({
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
