/**
 * The parts that a start has opened. A part is registered as soon as it is open, so a start that fails or is
 * stopped half-way closes everything it has opened, and a part that hangs while closing does not keep the
 * others open.
 */
import type { Logger } from "./logger.ts";

export interface Opened {
  /**
   * Opens a part and registers how it is closed. Rejects as soon as the signal aborts, without waiting for the part: it is
   * closed when it comes, as is every part that comes after the closing has begun.
   */
  open<T>(
    name: string,
    begin: () => T | Promise<T>,
    close: (part: T) => unknown,
    options?: PartOptions,
  ): Promise<T>;
  /** Waits for work that opens no part. Rejects as soon as the signal aborts. */
  wait<T>(name: string, work: () => T | Promise<T>): Promise<T>;
  /** Registers the closing of what is there already. */
  add(name: string, close: () => unknown, options?: PartOptions): void;
  /**
   * First closes the parts with `isAtWork`, all at once, then the others, the last first. Parts that take too
   * long are logged and abandoned. Never rejects.
   */
  close(limits?: CloseLimits): Promise<void>;
  /** The names of the parts that are being opened, waited for or closed at this moment. */
  underWay(): string[];
}

export interface PartOptions {
  /**
   * Closed before all others and together with its like: parts that do work (servers, workers), as opposed to
   * those that they use.
   */
  isAtWork?: boolean;
  /** How long its closing may take; of a part at work the closing says so. */
  limitMs?: number;
}

export interface CloseLimits {
  /** For all parts together. */
  totalMs?: number;
  /** For the parts at work together. */
  workMs?: number;
  /** For each of the others, unless it was registered with a limit of its own. */
  partMs?: number;
}

export interface OpenedOptions {
  log: Logger;
  /** Cancels the start. */
  signal?: AbortSignal;
}

interface Part extends PartOptions {
  name: string;
  close: () => unknown;
}

const usualPartMs = 2_000;
const noLimit = Number.POSITIVE_INFINITY;

export function createOpened({ log, signal }: OpenedOptions): Opened {
  const parts: Part[] = [];
  const underWay = new Set<{ name: string }>();
  const late = new Set<Promise<void>>();
  let closing: Promise<void> | undefined;

  const follow = async <T>(name: string, work: Promise<T>): Promise<T> => {
    const entry = { name };
    underWay.add(entry);
    return work.finally(() => underWay.delete(entry));
  };
  const closePart = async ({ name, close }: Part, limitMs: number): Promise<void> => {
    const closed = follow(
      name,
      (async () => close())().catch((error: unknown) =>
        log.error({ part: name, error }, "a part did not stop cleanly"),
      ),
    );
    const inTime = await within(limitMs, closed);
    if (!inTime) log.error({ part: name }, "a part did not stop in time");
  };
  const closeAll = async ({
    totalMs = noLimit,
    workMs = noLimit,
    partMs = usualPartMs,
  }: CloseLimits): Promise<void> => {
    const end = performance.now() + totalMs;
    const atMost = (ms: number): number => Math.min(ms, Math.max(0, end - performance.now()));
    const atWork = parts.filter(({ isAtWork }) => isAtWork);
    await Promise.all(atWork.map((part) => closePart(part, atMost(workMs))));
    for (const part of parts.filter(({ isAtWork }) => !isAtWork).toReversed())
      await closePart(part, atMost(part.limitMs ?? partMs));
    // A part that was being opened when the closing began may still arrive.
    if (late.size > 0) await within(atMost(partMs), Promise.all(late));
  };
  const register = async (part: Part): Promise<void> => {
    if (closing === undefined) parts.push(part);
    else await closePart(part, noLimit);
  };

  return {
    add: (name, close, options) => void register({ ...options, name, close }),
    async open(name, begin, close, options) {
      signal?.throwIfAborted();
      if (closing !== undefined) throw new Error(`${name} was to be opened after the closing had begun`);
      let registered: Promise<void> | undefined;
      const coming = follow(name, (async () => begin())()).then((part) => {
        registered = register({ ...options, name, close: () => close(part) });
        return part;
      });
      const settled = coming.then(
        () => registered,
        () => undefined,
      );
      late.add(settled);
      void settled.then(() => late.delete(settled));
      return untilAborted(signal, coming);
    },
    async wait(name, work) {
      signal?.throwIfAborted();
      return untilAborted(signal, follow(name, (async () => work())()));
    },
    close: (limits = {}) => (closing ??= closeAll(limits)),
    underWay: () => [...underWay].map(({ name }) => name),
  };
}

/** How long a part that fails half-way may take to close what it has opened; the start waits for it. */
const ownCloseMs = 500;

/** Opens a part in several steps: when one of them fails, what the others have opened is closed. */
export async function openTogether<T>(log: Logger, steps: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = createOpened({ log });
  try {
    return await steps(opened);
  } catch (error) {
    await opened.close({ totalMs: ownCloseMs });
    throw error;
  }
}

/** False when the work has not ended in time. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  if (ms === noLimit) return work.then(() => true);
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function untilAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
