/**
 * When to ask an adapter again. The wait grows with each poll, so work that ends just after one would be noticed much
 * too late; therefore the waits are spread between tasks, and what some task has shown (work of this kind is done
 * after so long) the others use: they ask once when the quickest of late were done, and once when half of them were.
 * Holds no clock: times are milliseconds since the task began.
 */

export interface PollLimits {
  pollInitialMs: number;
  pollFactor: number;
  pollMaxMs: number;
}

/** One task that is being polled. */
export interface Polled {
  /** Work that takes about as long: the adapter and the operation. */
  kind: string;
  /** Spreads the waits; the same for the same task, whoever drives it. */
  seed: string;
  /** Of the last poll, or of the first moment that this worker had the token. */
  askedMs: number;
  polls: number;
  /** How many of the moments that others have shown were used. */
  hints: number;
}

export interface PollPace {
  /** When the next poll is due; asked again after a while it may be earlier. */
  dueMs(polled: Polled, limits: PollLimits): number;
  /** Notes a poll, so that `dueMs` speaks of the next one. */
  asked(polled: Polled, atMs: number): void;
  /** A task of this kind was seen done. */
  learn(kind: string, doneMs: number): void;
}

/** Recent ends that are kept of a kind, and kinds that are kept. */
const keptEnds = 64;
const keptKinds = 1_000;
const fewestEnds = 3;
/** Between two polls of a task, however close a hint is. */
const leastGapMs = 50;

export function createPollPace(): PollPace {
  const ends = new Map<string, number[]>();
  return {
    dueMs(polled, limits) {
      const due = polled.askedMs + waitOf(polled, limits);
      for (const hint of hintsOf(ends.get(polled.kind) ?? []).slice(polled.hints)) {
        if (hint > polled.askedMs) return Math.min(Math.max(hint, polled.askedMs + leastGapMs), due);
      }
      return due;
    },
    asked(polled, atMs) {
      polled.hints = hintsOf(ends.get(polled.kind) ?? []).filter((hint) => hint <= atMs).length;
      polled.askedMs = atMs;
      polled.polls++;
    },
    learn(kind, doneMs) {
      const known = ends.get(kind) ?? [];
      // The kind that was seen last comes last, so the first is the one to forget.
      ends.delete(kind);
      ends.set(kind, [...known.slice(1 - keptEnds), doneMs]);
      if (ends.size > keptKinds) ends.delete(ends.keys().next().value ?? kind);
    },
  };
}

function waitOf({ seed, polls }: Polled, limits: PollLimits): number {
  const whole = Math.min(limits.pollInitialMs * limits.pollFactor ** polls, limits.pollMaxMs);
  return whole * (0.5 + share(`${seed}#${polls}`) / 2);
}

function hintsOf(ends: number[]): number[] {
  if (ends.length < fewestEnds) return [];
  const sorted = ends.toSorted((a, b) => a - b);
  return [sorted[0] ?? 0, sorted[sorted.length >> 1] ?? 0];
}

/** A number from 0 to 1 that looks random and is always the same for the text (FNV-1a). */
function share(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash / 2 ** 32;
}
