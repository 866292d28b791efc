import type { Problem } from "../../platform/errors/failure.ts";
import { overrunReason, type Renderer } from "../renderer.ts";
import type { EntitySummary } from "./checks.ts";
import { fileOfStep, packBatch, type BatchContext } from "./entities/entity-batch.ts";
import { entityFilePath, type EntityDirectory } from "./entities/entity-files.ts";

export interface DescribedArchive {
  /** Descriptors as JSON by directory, of the entities without problems. */
  texts: Map<string, Uint8Array>;
  /** Summaries of the described entities, as JSON from the workers. */
  described: Uint8Array<ArrayBuffer>[];
  /** Summaries of the entities that could not be described. */
  broken: EntitySummary[];
}

export interface DescribeOptions {
  renderer: Pick<Renderer, "run">;
  /** May resolve after the start; each batch awaits it. */
  context: Promise<BatchContext>;
  stepTimeoutMs: number;
}

/** The description of an archive that is still being read. */
export interface Describing {
  /** Describes a directory whose files have probably all been read. */
  add(directory: EntityDirectory): void;
  /** Describes the rest of all directories; all of them again after a stop. Rejects with the first error of a batch. */
  finish(directories: readonly EntityDirectory[]): Promise<DescribedArchive>;
  /** Starts no further batch: the archive is refused, or an added directory has more files. */
  stop(): void;
}

/** Batches are small, to share the threads fairly and to keep each message cheap for the event loop. */
const batchLimits = { directories: 32, bytes: 512 * 1024 } as const;
/** Concurrent batches of one archive: two for each thread, so that no thread waits for this one. */
const lanes = 4;
/** Time-limit overruns after which the rest of an archive is skipped: each costs the full limit. */
const maxOverruns = 3;

/** Describes entities in the render workers. A batch starts when it is full, and the last one when all directories are known. */
export function startDescribing(options: DescribeOptions): Describing {
  // Each batch awaits it and fails with its error. Before the first batch nobody handles that.
  options.context.catch(() => undefined);
  const archive: DescribedArchive = { texts: new Map(), described: [], broken: [] };
  const state: ArchiveState = { overruns: 0 };
  const added = new Set<string>();
  const batches: Batch[] = [];
  const running = new Set<Promise<void>>();
  let isWhole = false;
  let isStopped = false;
  let failure: { error: unknown } | null = null;

  // Each lane packs its next batch when the previous one is done: packing all at once would block the event
  // loop, and a large archive would delay all others.
  const begin = (): void => {
    while (running.size < lanes && !isStopped && batches.length > (isWhole ? 0 : 1)) {
      const work = describeOne(batches.shift()!.directories, options, { archive, state })
        .catch((error: unknown) => {
          failure ??= { error };
          isStopped = true;
        })
        .finally(() => {
          running.delete(work);
          begin();
        });
      running.add(work);
    }
  };
  const add = (directory: EntityDirectory): void => {
    added.add(directory.directory);
    appendTo(batches, directory);
  };
  const runningEnded = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
    if (failure !== null) throw failure.error;
  };
  return {
    add(directory) {
      add(directory);
      begin();
    },
    async finish(directories) {
      if (isStopped) {
        await runningEnded();
        return startDescribing(options).finish(directories);
      }
      for (const directory of directories) if (!added.has(directory.directory)) add(directory);
      isWhole = true;
      begin();
      await runningEnded();
      return archive;
    },
    stop() {
      isStopped = true;
    },
  };
}

interface Batch {
  directories: EntityDirectory[];
  bytes: number;
}

/** Adds the directory to the last batch, or to a new one when that is full. */
function appendTo(batches: Batch[], directory: EntityDirectory): void {
  const bytes = Object.values(directory.files).reduce((sum, file) => sum + file.length, 0);
  const last = batches.at(-1);
  if (
    last === undefined ||
    last.directories.length >= batchLimits.directories ||
    last.bytes + bytes > batchLimits.bytes
  ) {
    batches.push({ directories: [directory], bytes });
  } else {
    last.directories.push(directory);
    last.bytes += bytes;
  }
}

interface ArchiveState {
  overruns: number;
}

/**
 * Describes one batch. A file that exceeds its time limit is reported, and the batch is repeated without its
 * directory.
 */
const describeOne = async (
  batch: readonly EntityDirectory[],
  options: DescribeOptions,
  { archive, state }: { archive: DescribedArchive; state: ArchiveState },
): Promise<void> => {
  const context = await options.context;
  let left = batch;
  while (left.length > 0) {
    if (state.overruns >= maxOverruns) {
      for (const { directory } of left)
        archive.broken.push(summaryOfBroken(directory, notDescribed(directory)));
      return;
    }
    const packed = packBatch(left);
    const job = { batch: packed, context };
    const result = await options.renderer.run("describe", job, [packed.bytes.buffer]);
    if (!("overrun" in result)) {
      archive.described.push(result.summaries);
      for (const [index, { directory }] of left.entries()) {
        const range = result.texts[index] ?? null;
        if (range !== null) archive.texts.set(directory, result.bytes.subarray(range[0], range[1]));
      }
      return;
    }
    state.overruns += 1;
    const { index, file } = fileOfStep(result.step);
    const slow = left[index] ?? left[0]!;
    const where = entityFilePath(slow.directory, file, context.environment);
    const message = `The file was given up: ${overrunReason(result, options.stepTimeoutMs)}.`;
    archive.broken.push(summaryOfBroken(slow.directory, { where, message }));
    left = left.filter((directory) => directory !== slow);
  }
};

const notDescribed = (directory: string): Problem => ({
  where: `${directory}/catalog-info.yaml`,
  message: `The file was not looked at, because ${maxOverruns} others took too long or too much memory.`,
});

/** The summary of a directory that could not be described. */
export const summaryOfBroken = (directory: string, problem: Problem): EntitySummary => ({
  directory,
  kind: null,
  problems: [problem],
  warnings: [],
  systemName: "",
  statedSystem: null,
  components: [],
});
