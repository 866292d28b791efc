/**
 * Keeps the index up to date, in the background of processes with workers. A round reads a few counters of the database; only
 * when something has changed does one process compare records and make vectors. Every step may be repeated.
 */
import type { Database, Db } from "../../platform/db/database.ts";
import { readTableMarks } from "../../platform/db/table-mark.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { startRounds } from "../../platform/jobs/rounds.ts";
import { inSpan, noParent, type SpanStart } from "../../platform/telemetry/spans.ts";
import { createEmbedder, embedEach, takesOthers } from "../models/embeddings.ts";
import type { Embedder } from "../models/model.ts";
import { readModelVersion } from "../models/read-model.ts";
import {
  type IndexProgress,
  countWords,
  releaseLease,
  noteCompared,
  noteFailed,
  readProgress,
  takeLease,
} from "./index-store.ts";
import { documentKinds, type KnowledgeSource } from "./passages.ts";
import { compareSource } from "./sources.ts";
import {
  countVectors,
  findLexical,
  noteVectorFailure,
  readSample,
  readTitles,
  readWaiting,
  writeAgreement,
  writeVectors,
  type NewVector,
  type WaitingDocument,
  dropVectors,
} from "./store.ts";
import { createVectorMemory, dimensionsOf, packVector, unitVector } from "./vector-memory.ts";
import { embedderDeps, type VectorSearchOptions } from "./vector-search.ts";
import { queryTerms } from "./words.ts";

export interface IndexWorkerOptions extends VectorSearchOptions {
  sources: readonly KnowledgeSource[];
  workerId: string;
}

export interface IndexWorker {
  close(): Promise<void>;
}

interface Due {
  source: KnowledgeSource;
  mark: string;
}

const fixedMark = "fixed";
const failurePauseMs = 60_000;

// oxlint-disable-next-line max-lines-per-function -- its parts share what was compared
export function startIndexWorker(options: IndexWorkerOptions): IndexWorker {
  const { database, sources, workerId, log, now } = options;
  const { lookEveryMs, compareEveryMs } = options.settings.runs.retrieval;
  const db = database.db;
  const halt = new AbortController();
  /** Sources that can't change while the process runs are compared once: another release may have indexed its own. */
  const compared = new Set<KnowledgeSource>();
  /** Failed sources, with the time of the next attempt. */
  const pausedUntil = new Map<KnowledgeSource, number>();
  let isFirst = true;

  const findDue = async ({ sources: states }: IndexProgress): Promise<Due[]> => {
    const due: Due[] = [];
    const marks = await readTableMarks(
      db,
      sources.map(({ tables }) => tables ?? []),
    );
    for (const [n, source] of sources.entries()) {
      const mark = source.tables === null ? null : marks[n]!;
      const state = states.get(source.kind);
      const age = now().getTime() - (state?.comparedAt?.getTime() ?? 0);
      const isOld = age >= compareEveryMs;
      if ((pausedUntil.get(source) ?? 0) > now().getTime()) continue;
      const isDue = mark === null ? !compared.has(source) : isOld || state?.mark !== mark;
      if (isDue) due.push({ source, mark: mark ?? fixedMark });
    }
    return due;
  };
  const mayContinue = async (): Promise<boolean> => !halt.signal.aborted && (await takeLease(db, workerId));
  const compare = async ({ source, mark }: Due): Promise<number> => {
    const { kind } = source;
    const at = now();
    try {
      const { isComplete, changed } = await compareSource(source, { database, at, mayContinue });
      if (!isComplete) return changed;
      await noteCompared(db, { kind, mark, at });
      if (mark === fixedMark) compared.add(source);
      return changed;
    } catch (error) {
      const { message } = error as Error;
      log.warn({ kind, reason: message }, "a source of the index could not be read");
      pausedUntil.set(source, now().getTime() + failurePauseMs);
      await noteFailed(db, kind, `The source of kind ${kind} could not be read; the log has the details.`);
      return 0;
    }
  };

  const round = async (): Promise<"idle" | void> => {
    // The first round is skipped, so that it does not slow down the start.
    if (isFirst) {
      isFirst = false;
      return;
    }
    if (halt.signal.aborted) return;
    const before = await readProgress(db);
    if ((await findDue(before)).length === 0 && !needsVectors(before, now())) return "idle";
    if (!(await takeLease(db, workerId))) return;
    try {
      await inSpan("round", indexSpan, async (span) => {
        const changed = await update();
        span?.set({ "plinth.round.found": changed });
      });
    } finally {
      await releaseLease(db, workerId);
    }
  };
  const update = async (): Promise<number> => {
    // Read again under the lease: another process may have done it.
    let changed = 0;
    for (const due of await findDue(await readProgress(db))) {
      if (halt.signal.aborted) return changed;
      changed += await compare(due);
    }
    if (changed > 0) await countWords(database, changed);
    await updateVectors(changed);
    return changed;
  };
  const updateVectors = async (changed: number): Promise<void> => {
    const progress = await readProgress(db);
    if (progress.embedder === null) {
      if (progress.vectorsOf !== null) await dropVectors(db);
      return;
    }
    if (!mayEmbed(progress, now()) || (changed === 0 && !needsVectors(progress, now()))) return;
    await embedWaiting({ deps: options, progress, signal: halt.signal, mayContinue });
  };

  const rounds = startRounds({
    round,
    idleMs: lookEveryMs,
    restMs: 2 * lookEveryMs,
    log,
    what: "the index of the assistant",
  });
  return {
    async close() {
      halt.abort();
      await rounds.close();
    },
  };
}

const roundName = "index of the assistant";
const indexSpan: SpanStart<"round"> = {
  name: `round ${roundName}`,
  parent: noParent,
  attributes: () => ({ "plinth.round.name": roundName }),
};

const mayEmbed = ({ embedder, vectorsOf, retryAt }: IndexProgress, at: Date): boolean =>
  embedder !== vectorsOf || retryAt === null || retryAt <= at;

/** Whether vectors have to be made, or deleted because the embedder was changed or removed. */
function needsVectors(progress: IndexProgress, at: Date): boolean {
  const { embedder, vectorsOf, waiting, isMeasured } = progress;
  if (embedder !== vectorsOf) return true;
  return embedder !== null && (waiting > 0 || !isMeasured) && mayEmbed(progress, at);
}

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
    const failed = await embedPages({ database, embedder, version, limit, signal, mayContinue });
    if (failed === "stopped") return;
    if (failed !== null) throw failed;
    await countVectors(database.db, version);
    if (!progress.isMeasured) await measureAgreement(database.db, { version, embedder, signal });
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

/** So many batches may fail in one round although the embedder answers others. */
const maxFailedBatches = 3;

interface Pages {
  database: Database;
  embedder: Embedder;
  /** Of the embedder. */
  version: string;
  limit: number;
  signal: AbortSignal;
  mayContinue: () => Promise<boolean>;
}

/** The failure of the first batch that waits for another attempt; null when there is none. Throws when the embedder fails altogether. */
async function embedPages(pages: Pages): Promise<Failure | "stopped" | null> {
  const { database, embedder, version, limit, signal, mayContinue } = pages;
  let failed: Failure | null = null;
  let failures = 0;
  for (let after = 0; ;) {
    const waiting = await readWaiting(database.db, { embedder: version, after, limit });
    if (waiting.length === 0) return failed;
    if (!(await mayContinue())) return "stopped";
    try {
      for await (const { from, vectors } of embedEach(embedder, waiting.map(textOf), { signal })) {
        const documents = waiting.slice(from, from + vectors.length);
        await writeVectors(
          database,
          version,
          documents.map((document, n) => vectorOf(document, vectors[n])),
        );
        if (!(await mayContinue())) return "stopped";
      }
    } catch (error) {
      failures += 1;
      if (failures > maxFailedBatches || !(await takesOthers(embedder, error, signal))) throw error;
      failed ??= error as Failure;
    }
    after = waiting.at(-1)?.id ?? after;
  }
}

const textOf = ({ title, body }: WaitingDocument): string => `${title}\n\n${body}`;

function vectorOf(document: WaitingDocument, vector: number[] | null | undefined): NewVector {
  const unit = unitVector(vector ?? []);
  return { ...document, packed: unit && packVector(unit) };
}

// Measures how far the vectors of an embedder can be trusted.

/** Questions that are asked, and passages that are compared. */
const maxQuestions = 40;
const maxSample = 1_000;
/** Vectors of that many passages are looked at for the one that the words put first. */
const lookedAt = 10;
/** Which make everyday questions of titles: a poor embedder looks at the words around what is asked. */
const frames = [
  (title: string) =>
    `how do I go about this, I need something to do with ${title} and have no idea where to start`,
  (title: string) => `can you tell me what we have to do for ${title} when it is not there yet?`,
  (title: string) => `hello, somebody asked me about ${title}, which is it and where would I find it?`,
];

interface Measuring {
  version: string;
  embedder: Embedder;
  signal: AbortSignal;
}

/**
 * Asks everyday questions made of titles, and compares which passages the words put first with the places that the vectors give them:
 * 1 when the vectors put all of them first, 0 when none is among the first ten.
 */
export async function measureAgreement(db: Db, { version, embedder, signal }: Measuring): Promise<void> {
  const titles = await readTitles(db, maxQuestions);
  const asked: { question: string; first: number }[] = [];
  for (const [n, { title }] of titles.entries()) {
    const [first] = await findLexical(db, { terms: queryTerms(title), kinds: documentKinds, limit: 1 });
    const frame = frames[n % frames.length] ?? String;
    if (first !== undefined) asked.push({ question: frame(title.toLowerCase()), first: first.id });
  }
  if (asked.length === 0) return writeAgreement(db, { embedder: version, agreement: 0 });
  const sample = await readSample(db, { ids: asked.map(({ first }) => first), limit: maxSample });
  const questions = asked.map(({ question }) => question);
  const vectors: (number[] | null)[] = [];
  for await (const part of embedEach(embedder, questions, { signal })) vectors.push(...part.vectors);
  const dimensions = dimensionsOf(sample[0]?.packed ?? Buffer.alloc(0));
  const memory = createVectorMemory(dimensions, maxSample * dimensions);
  for (const { id, packed } of sample) memory.put({ id, kind: 0, packed });
  // A long section has several passages with its title.
  const titleOf = new Map(sample.map(({ id, title }) => [id, title]));
  let sum = 0;
  for (const [n, { first }] of asked.entries()) {
    const unit = unitVector(vectors[n] ?? []);
    const nearest = unit === null ? [] : await memory.nearest(unit, { kinds: new Set([0]), limit: lookedAt });
    const place = nearest.findIndex((id) => titleOf.get(id) === titleOf.get(first));
    if (place >= 0) sum += 1 / (place + 1);
  }
  await writeAgreement(db, { embedder: version, agreement: sum / asked.length });
}
