/** Where the time of a task went, in words and in the order in which it passes. Pure. */
import { durationText } from "../../../../parts/values/text.ts";
import type { TaskTiming } from "../queries.ts";

export type SplitKey = keyof TaskTiming["split"];

export const splitWords: Record<SplitKey, string> = {
  predecessorsMs: "tasks before it",
  queueMs: "queue",
  retriesMs: "earlier attempts",
  callMs: "calls of adapters",
  pollMs: "polls",
};

export const splitKeys = Object.keys(splitWords) as SplitKey[];

export const splitText = (split: TaskTiming["split"]): string =>
  splitKeys
    .filter((key) => split[key] >= 1)
    .map((key) => `${splitWords[key]} ${durationText(split[key])}`)
    .join(", ");
