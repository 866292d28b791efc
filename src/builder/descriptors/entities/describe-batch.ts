/** Runs in the render workers only: it loads the template engine, which the main thread does not need. */
import type { Problem } from "../../../platform/errors/failure.ts";
import type { EntitySummary } from "../checks.ts";
import { describeEntity } from "./describe-entity.ts";
import {
  stepOf,
  type BatchContext,
  type ByteRange,
  type DescribedBatch,
  type EntityBatch,
} from "./entity-batch.ts";
import { entityFileNames, type EntityDirectory } from "./entity-files.ts";

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
