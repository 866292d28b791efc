/** How long a process may take to end. */
import type { Config } from "../config/schema/schema.ts";
import type { CloseLimits } from "../lib/opened.ts";

/** A start that fails has ended within this time; one part that hangs leaves the others enough of it. */
export const failedStart: CloseLimits = { totalMs: 3_000, workMs: 1_000, partMs: 1_000 };

/** The least time for parts at work, whatever the grace: calls of third parties get two seconds. */
const shortestWorkMs = 2_000;
const afterWorkMs = 1_500;
/** Of that time: for closing what the parts at work use. */
const otherPartsMs = 400;
/** How long handles that are still open after the stop may keep the process alive; then it exits. */
export const openHandlesMs = 500;
/** The parts are closed so long before that, so that the process exits before its last moment. */
const spareMs = 100;

/** A process that was asked to stop has ended after this time, whatever hangs. */
export const longestStopMs = ({ server }: Config): number =>
  Math.max(server.shutdownGraceMs, shortestWorkMs) + afterWorkMs;

/** A part that hangs, such as a worker whose table is locked, leaves the others time, so that the stop ends in order. */
export const stopLimits = (config: Config): CloseLimits => ({
  workMs: longestStopMs(config) - openHandlesMs - spareMs - otherPartsMs,
  totalMs: longestStopMs(config) - openHandlesMs - spareMs,
});
