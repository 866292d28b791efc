/**
 * Keeps the index up to date, in the background of processes with workers. A round reads a few counters of the database; only
 * when something has changed does one process compare records and make vectors. Every step may be repeated.
 */
import { startRounds } from "../../platform/jobs/rounds.ts";
import { inSpan, noParent, type SpanStart } from "../../platform/telemetry/spans.ts";
import type { KnowledgeSource } from "./passages.ts";
import type { VectorSearchOptions } from "./vector-search.ts";
import { embedWaiting } from "./embed.ts";
import { compareSource } from "./sources.ts";
import {
  countWords,
  releaseLease,
  noteCompared,
  noteFailed,
  readProgress,
  takeLease,
  type IndexProgress,
} from "./index-store.ts";
import { dropVectors } from "./store.ts";

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
    for (const source of sources) {
      const mark = await source.mark();
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

  const round = async (): Promise<void> => {
    // The first round is skipped, so that it does not slow down the start.
    if (isFirst) {
      isFirst = false;
      return;
    }
    if (halt.signal.aborted) return;
    const before = await readProgress(db);
    if ((await findDue(before)).length === 0 && !needsVectors(before, now())) return;
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

  const rounds = startRounds({ round, idleMs: lookEveryMs, log, what: "the index of the assistant" });
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
