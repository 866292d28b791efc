/** The messages between the main thread and the threads that describe entities: batches of directories, and their results. */
import { entityFileNames, type EntityDirectory, type EntityFileName } from "./entity-files.ts";
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

/** The step number of a file: `index` is that of its directory in the batch. The worker reports it before it works on the file. */
export const stepOf = (index: number, file: EntityFileName): number =>
  index * entityFileNames.length + entityFileNames.indexOf(file);

/** Index of the directory in its batch, and the file, for a step number. */
export const fileOfStep = (step: number): { index: number; file: EntityFileName } => ({
  index: Math.floor(step / entityFileNames.length),
  file: entityFileNames[step % entityFileNames.length] ?? "catalog-info.yaml",
});
