/** `adapter check` against the miniatures: what their authors would see. */
import { setTimeout as sleep } from "node:timers/promises";
import { runConformance, type Report, type RunOptions } from "../../src/adapters/conformance/run.ts";
import { sampleUnit } from "../../src/adapters/conformance/sample.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import type { MiniatureName } from "./miniatures/all.ts";

export function checkMiniature(url: string, options: Partial<RunOptions> = {}): Promise<Report> {
  const unit = sampleUnit(newId().slice(0, 8));
  const [component] = unit["components"] as { id: string }[];
  return runConformance({
    url,
    subject: {
      unit,
      componentId: component?.id ?? "",
      needs: [],
      refs: ["user:ada", "group:readers"],
      invalidUnit: undefined,
      reverseParams: {},
    },
    timeoutMs: 20_000,
    waitMs: 20_000,
    pollMs: 2,
    only: [],
    newId,
    now: () => performance.now(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    signal: new AbortController().signal,
    ...options,
  });
}

/** Least score of each: whoever follows the public scaffolds has no check that fails. */
export const leastScores: Record<MiniatureName, number> = {
  fastapi: 95,
  spring: 80,
  akka: 80,
  collection: 95,
};
