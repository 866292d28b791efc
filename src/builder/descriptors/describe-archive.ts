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
  context: BatchContext;
  stepTimeoutMs: number;
}

/** Batches are small, to share the threads fairly and to keep each message cheap for the event loop. */
const batchLimits = { directories: 32, bytes: 512 * 1024 } as const;
/** Concurrent batches of one archive: two for each thread, so that no thread waits for this one. */
const lanes = 4;
/** Time-limit overruns after which the rest of an archive is skipped: each costs the full limit. */
const maxOverruns = 3;

/** Describes the entities of an archive in the render workers. */
export const describeArchive = async (
  directories: readonly EntityDirectory[],
  options: DescribeOptions,
): Promise<DescribedArchive> => {
  const archive: DescribedArchive = { texts: new Map(), described: [], broken: [] };
  const state: ArchiveState = { overruns: 0 };
  const batches = splitBatches(directories);
  // Each lane packs its next batch when the previous one is done: packing all at once would block the event
  // loop, and a large archive would delay all others.
  const runLane = async (): Promise<void> => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      await describeOne(batch, options, { archive, state });
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return archive;
};

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
  let left = batch;
  while (left.length > 0) {
    if (state.overruns >= maxOverruns) {
      for (const { directory } of left)
        archive.broken.push(summaryOfBroken(directory, notDescribed(directory)));
      return;
    }
    const packed = packBatch(left);
    const job = { batch: packed, context: options.context };
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
    const where = entityFilePath(slow.directory, file, options.context.environment);
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

const splitBatches = (directories: readonly EntityDirectory[]): EntityDirectory[][] => {
  const batches: EntityDirectory[][] = [];
  let bytes = 0;
  for (const directory of directories) {
    const size = Object.values(directory.files).reduce((sum, file) => sum + file.length, 0);
    const last = batches.at(-1);
    if (last === undefined || last.length >= batchLimits.directories || bytes + size > batchLimits.bytes) {
      batches.push([directory]);
      bytes = size;
    } else {
      last.push(directory);
      bytes += size;
    }
  }
  return batches;
};
