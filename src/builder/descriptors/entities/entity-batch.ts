import type { Problem } from "../../../platform/errors/failure.ts";
import type { EntitySummary } from "../checks.ts";
import {
  describeEntity,
  entityFileNames,
  type EntityDirectory,
  type EntityFileName,
} from "./describe-entity.ts";
import type { DescribeContext } from "./system-descriptor.ts";

/** Start and end of a file in the bytes of the batch. */
export type ByteRange = readonly [start: number, end: number];

/**
 * Entity directories as they are sent to the worker: names and ranges are copied, the bytes are transferred
 * as one buffer.
 */
export interface EntityBatch {
  directories: { directory: string; files: Partial<Record<EntityFileName, ByteRange>> }[];
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The result: `texts[i]` is the descriptor of directory i of the batch as JSON, null when it has problems.
 * Summaries stay JSON until the worker that resolves the unit parses them: as values they would be
 * deserialised and serialised again on the main thread.
 */
export interface DescribedBatch {
  summaries: Uint8Array<ArrayBuffer>;
  texts: (ByteRange | null)[];
  bytes: Uint8Array<ArrayBuffer>;
}

export interface BatchContext extends DescribeContext {
  maxDescriptorBytes: number;
}

export const packBatch = (directories: readonly EntityDirectory[]): EntityBatch => {
  const sizes = directories.flatMap(({ files }) => Object.values(files).map((file) => file.length));
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  const place = (file: Uint8Array): ByteRange => {
    bytes.set(file, at);
    at += file.length;
    return [at - file.length, at];
  };
  const packed = directories.map(({ directory, files }) => {
    const ranges: Partial<Record<EntityFileName, ByteRange>> = {};
    for (const name of entityFileNames) if (files[name] !== undefined) ranges[name] = place(files[name]);
    return { directory, files: ranges };
  });
  return { directories: packed, bytes };
};

/** Describes a batch. `onStep` receives a number that `fileOfStep` maps back to the file being processed. */
export const describeBatch = (
  batch: EntityBatch,
  context: BatchContext,
  onStep: (step: number) => void,
): DescribedBatch => {
  const summaries: EntitySummary[] = [];
  const texts: (Uint8Array | null)[] = [];
  let total = 0;
  batch.directories.forEach(({ directory, files }, index) => {
    const source: EntityDirectory = { directory, files: {} };
    for (const name of entityFileNames) {
      const range = files[name];
      if (range !== undefined) source.files[name] = batch.bytes.subarray(...range);
    }
    const { descriptor, ...summary } = describeEntity(source, context, (file) => onStep(stepOf(index, file)));
    let text = descriptor === null ? null : Buffer.from(JSON.stringify(descriptor));
    if (text !== null && total + text.length > context.maxDescriptorBytes) {
      summary.problems = [...summary.problems, tooLong(directory, context)];
      text = null;
    }
    total += text?.length ?? 0;
    summaries.push(summary);
    texts.push(text);
  });
  return { summaries: new TextEncoder().encode(JSON.stringify(summaries)), ...joinTexts(texts, total) };
};

const joinTexts = (
  texts: readonly (Uint8Array | null)[],
  total: number,
): Pick<DescribedBatch, "texts" | "bytes"> => {
  const bytes = new Uint8Array(total);
  let at = 0;
  const ranges = texts.map((text): ByteRange | null => {
    if (text === null) return null;
    bytes.set(text, at);
    at += text.length;
    return [at - text.length, at];
  });
  return { texts: ranges, bytes };
};

const tooLong = (directory: string, { maxDescriptorBytes }: BatchContext): Problem => ({
  where: `${directory}/catalog-info.yaml`,
  message: `With this entity the descriptor is larger than ${maxDescriptorBytes} bytes.`,
});

const stepOf = (index: number, file: EntityFileName): number =>
  index * entityFileNames.length + entityFileNames.indexOf(file);

/** Index of the directory in its batch, and the file, for a step number. */
export const fileOfStep = (step: number): { index: number; file: EntityFileName } => ({
  index: Math.floor(step / entityFileNames.length),
  file: entityFileNames[step % entityFileNames.length] ?? "catalog-info.yaml",
});
