/** Makes vectors for documents that have none of the present embedder. */
import { Failure } from "../../platform/errors/failure.ts";
import { createEmbedder, isOfText } from "../models/embeddings.ts";
import type { Embedder } from "../models/model.ts";
import { readModelVersion } from "../models/read-model.ts";
import type { IndexProgress } from "./index-store.ts";
import { embedderDeps, type VectorSearchOptions } from "./vector-search.ts";
import { packVector, unitVector } from "./vector-memory.ts";
import {
  countVectors,
  noteVectorFailure,
  readWaiting,
  writeVectors,
  type NewVector,
  type WaitingDocument,
} from "./store.ts";

const firstRetryMs = 5_000;
const longestRetryMs = 10 * 60_000;

interface Embedding {
  deps: VectorSearchOptions;
  progress: IndexProgress;
  signal: AbortSignal;
  mayContinue: () => Promise<boolean>;
}

/** A failure is recorded with the time of the next attempt, since each attempt may cost money. */
export async function embedWaiting({ deps, progress, signal, mayContinue }: Embedding): Promise<void> {
  const { settings, now, log } = deps;
  const { database } = deps;
  const { embedder: version } = progress;
  if (version === null) return;
  try {
    const model = await readModelVersion(deps, "embedder");
    // The embedder has just been changed; the next round finds it.
    if (model?.version !== version) return;
    const { embedTimeoutMs, embedAtOnce: limit } = settings.runs.retrieval;
    const embedder = createEmbedder(embedderDeps(deps, embedTimeoutMs), model.config);
    for (let after = 0; ;) {
      const waiting = await readWaiting(database.db, { embedder: version, after, limit });
      if (waiting.length === 0) break;
      if (!(await mayContinue())) return;
      await writeVectors(database, version, await vectorsOf(embedder, waiting, signal));
      after = waiting.at(-1)?.id ?? after;
    }
    await countVectors(database.db, version);
  } catch (error) {
    if (signal.aborted) return;
    const failures = (progress.vectorsOf === version ? progress.failures : 0) + 1;
    const waitMs = Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 20), longestRetryMs);
    const retryAt = new Date(now().getTime() + waitMs);
    log.warn({ reason: (error as Error).message, retryAt }, "passages of the index wait for the embedder");
    const shown =
      error instanceof Failure ? error.message : "An internal error occurred; the log has the details.";
    await noteVectorFailure(database.db, { embedder: version, error: shown, retryAt, failures });
  }
}

const textOf = ({ title, body }: WaitingDocument): string => `${title}\n\n${body}`;

/** When a batch is refused for its text, each document is tried alone. */
async function vectorsOf(
  embedder: Embedder,
  documents: readonly WaitingDocument[],
  signal: AbortSignal,
): Promise<NewVector[]> {
  try {
    const vectors = await embedder.embed(documents.map(textOf), signal);
    return documents.map((document, n) => {
      const unit = unitVector(vectors[n] ?? []);
      return { ...document, packed: unit && packVector(unit) };
    });
  } catch (error) {
    if (!isOfText(error)) throw error;
    if (documents.length === 1) return documents.map((document) => ({ ...document, packed: null }));
    const each: NewVector[] = [];
    for (const document of documents) each.push(...(await vectorsOf(embedder, [document], signal)));
    return each;
  }
}
