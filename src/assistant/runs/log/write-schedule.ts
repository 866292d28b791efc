/**
 * When the log is written: after a moment in which events of many runs are gathered, sooner where somebody waits. It serves the goal of
 * a quarter of the CPU of AI SDK's streamText (bench/peers/streams.ts). With cached records it went from 0.66 to 0.20 of that:
 * docs/decisions/2026-11-21-cost-of-a-token.md.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";

export interface WriteSchedule {
  /** Asks for a write; `soon` when a message begins or a caller waits for it. */
  request(soon: boolean): void;
  /** Asks for a write and resolves just before it. */
  beforeNext(): Promise<void>;
}

export interface WriteScheduleOptions {
  /** How many runs are written by this process. */
  writers: () => number;
  /** Whether there is anything to write. */
  isDirty: () => boolean;
  /** Whether a caller waits for the next write. */
  isUrgent: () => boolean;
  write: () => Promise<void>;
}

/**
 * How long text waits for more before it is written and sent. Each write of each stream costs a system call, which is most of
 * what a token costs: with many active runs the text comes in larger pieces.
 */
const gatherMs = { least: 20, ofEachRun: 1, most: 250 };
/** The share of that time that passes where a message begins or a caller waits for the write. */
const urgentShare = 0.1;
const nothing = (): void => {};

export function createWriteSchedule({
  writers,
  isDirty,
  isUrgent,
  write,
}: WriteScheduleOptions): WriteSchedule {
  /** Callers of `beforeNext`. */
  const waiters: (() => void)[] = [];
  let timer: NodeJS.Timeout | null = null;
  let isWriting = false;
  /** Shortens the gathering that is under way. */
  let hurry: () => void = nothing;

  const gatherFor = (): number =>
    Math.min(Math.max(gatherMs.least, writers() * gatherMs.ofEachRun), gatherMs.most);
  const gather = async (urgent: boolean): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const whole = gatherFor();
    let end = setTimeout(resolve, urgent ? whole * urgentShare : whole);
    if (!urgent) {
      hurry = () => {
        hurry = nothing;
        clearTimeout(end);
        end = setTimeout(resolve, whole * urgentShare);
      };
    }
    await promise;
    hurry = nothing;
  };
  /** Callers of `beforeNext` push what they have before the write begins. */
  const letWaitersPush = async (): Promise<void> => {
    if (waiters.length === 0) return;
    for (const go of waiters.splice(0)) go();
    await yieldToOthers();
  };
  const writeAll = async (): Promise<void> => {
    timer = null;
    if (isWriting) return;
    isWriting = true;
    try {
      for (;;) {
        await letWaitersPush();
        if (isDirty()) await write();
        if (!isDirty() && waiters.length === 0) break;
        // Events that came during the write are gathered again.
        await gather(isUrgent());
      }
    } finally {
      isWriting = false;
    }
  };
  const request = (soon: boolean): void => {
    if (soon) hurry();
    if (isWriting || (timer !== null && !soon)) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void writeAll(), soon ? 0 : gatherFor());
  };
  return {
    request,
    beforeNext() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiters.push(resolve);
      request(false);
      return promise;
    },
  };
}
