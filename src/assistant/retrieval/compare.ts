/** Brings the documents of one source up to date: reads changed records and deletes those that are gone. */
import { createHash } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import { type KnowledgeRecord, type KnowledgeSource, searchable } from "./passages.ts";
import { readIndexed, writeBatch, type DocumentRow, type IndexProgress } from "./index-store.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { createEmbedder, isOfText } from "../models/embeddings.ts";
import type { Embedder } from "../models/model.ts";
import { readModelVersion } from "../models/read-model.ts";
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

/** Records that are read and written together. */
const atATime = 50;

export interface CompareOptions {
  database: Database;
  at: Date;
  /** Called before each batch; false stops there, and the rest is done next time. */
  mayContinue: () => Promise<boolean>;
}

/** Returns whether all was compared, and how many rows have changed. */
export async function compareSource(
  source: KnowledgeSource,
  { database, at, mayContinue }: CompareOptions,
): Promise<{ isComplete: boolean; changed: number }> {
  const { kind } = source;
  const versions = await source.versions();
  const indexed = await readIndexed(database.db, kind);
  const changedKeys = [...versions].flatMap(([key, version]) => (indexed.get(key) === version ? [] : [key]));
  const goneKeys = [...indexed.keys()].filter((key) => !versions.has(key));
  let changed = 0;
  for (const keys of batchesOf([...goneKeys, ...changedKeys])) {
    if (!(await mayContinue())) return { isComplete: false, changed };
    const present = keys.filter((key) => versions.has(key));
    const records = present.length === 0 ? [] : await source.read(present);
    // A record that was deleted after its version was listed is not among them, so its documents are deleted too.
    const there = new Set(records.map(({ key }) => key));
    const { written, deleted } = await writeBatch(database, {
      kind,
      at,
      versions: new Map(keys.map((key) => [key, there.has(key) ? (versions.get(key) ?? "") : null])),
      rows: records.flatMap(documentRows),
    });
    changed += written + deleted;
  }
  return { isComplete: true, changed };
}

function* batchesOf(keys: readonly string[]): Generator<string[]> {
  for (let start = 0; start < keys.length; start += atATime) yield keys.slice(start, start + atATime);
}

const clean = (text: string): string => text.replaceAll("\0", " ").toWellFormed();

export const documentRows = ({ key, names, passages }: KnowledgeRecord): DocumentRow[] =>
  passages.map((passage, part) => {
    const [title, body, reference] = [passage.title, passage.text, passage.reference].map(clean);
    const nameWords = searchable(names.join(" "));
    const hash = createHash("sha256")
      .update(JSON.stringify([title, body, reference, nameWords]))
      .digest("base64url");
    return {
      key,
      part,
      title: title ?? "",
      body: body ?? "",
      reference: reference ?? "",
      hash,
      titleWords: searchable(title ?? ""),
      nameWords,
      bodyWords: searchable(body ?? ""),
    };
  });

// Makes vectors for documents that have none of the present embedder.

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
