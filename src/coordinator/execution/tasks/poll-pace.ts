/**
 * Decides when a token is polled next. With exponential backoff alone, work that ends just after a poll would
 * be noticed late. So waits are jittered between tasks, and recent durations of the same kind of work give
 * hints: tasks are polled when the fastest, half, and most of the recent ones were done. Where durations are
 * alike, only one task in four polls before the fastest duration, to notice when work gets faster. Has no
 * clock: times are milliseconds since the adapter accepted the work.
 */

export interface PollLimits {
  pollInitialMs: number;
  pollFactor: number;
  pollMaxMs: number;
}

/** One task that is being polled. */
export interface Polled {
  /** Adapter and operation; work of one kind takes similar time. */
  kind: string;
  /** Seed of the jitter; the same for a task on every worker. */
  seed: string;
  /** Time of the last poll; 0 before the first. */
  askedMs: number;
  polls: number;
  /** How many of the hints were used. */
  hints: number;
}

export interface PollPace {
  /** When the next poll is due; new hints may make it earlier. */
  dueMs(polled: Polled, limits: PollLimits): number;
  /** Records a poll, so that `dueMs` returns the time of the next. */
  asked(polled: Polled, atMs: number): void;
  /** Records the duration of a completed task of this kind. */
  learn(kind: string, doneMs: number): void;
}

/** Recent durations that are remembered per kind, and kinds that are remembered. */
const maxEnds = 64;
const maxKinds = 1_000;
const fewestEnds = 3;
/** Durations count as alike when at least this many are within this factor of each other. */
const enoughEnds = 16;
const likeness = 1.25;
/** First wait of overdue work, as a part of the usual time; each further wait doubles the overdue time. */
const overduePart = 0.04;
/** Shortest time between two polls of a task. */
const leastGapMs = 50;

export function createPollPace(): PollPace {
  const ends = new Map<string, number[]>();
  return {
    dueMs(polled, limits) {
      const { hints, areAlike } = hintsOf(ends.get(polled.kind) ?? []);
      const due = polled.askedMs + waitOf(polled, limits);
      const hint = hints.slice(polled.hints).find((ms) => ms > polled.askedMs);
      if (hint === undefined) return areAlike ? Math.min(due, overdueMs(polled, hints)) : due;
      const longest = areAlike && !isScout(polled) ? polled.askedMs + limits.pollMaxMs : due;
      return Math.min(Math.max(hint, polled.askedMs + leastGapMs), longest);
    },
    asked(polled, atMs) {
      const used = hintsOf(ends.get(polled.kind) ?? []).hints.filter((ms) => ms <= atMs).length;
      polled.hints = Math.max(polled.hints, used);
      polled.askedMs = atMs;
      polled.polls++;
    },
    learn(kind, doneMs) {
      const known = ends.get(kind) ?? [];
      // The map is in the order of use, so its first entry is the one to evict.
      ends.delete(kind);
      ends.set(kind, [...known.slice(1 - maxEnds), doneMs]);
      if (ends.size > maxKinds) ends.delete(ends.keys().next().value ?? kind);
    },
  };
}

/** Overdue work is likely to end soon, but less and less so: the wait grows with the overdue time. */
function overdueMs({ askedMs }: Polled, hints: number[]): number {
  const usual = Math.max(...hints);
  return askedMs + Math.max(askedMs - usual, usual * overduePart, leastGapMs);
}

const isScout = ({ seed }: Polled): boolean => share(seed) < 0.25;

function waitOf({ seed, polls }: Polled, limits: PollLimits): number {
  const whole = Math.min(limits.pollInitialMs * limits.pollFactor ** polls, limits.pollMaxMs);
  return whole * (0.5 + share(`${seed}#${polls}`) / 2);
}

function hintsOf(ends: number[]): { hints: number[]; areAlike: boolean } {
  if (ends.length < fewestEnds) return { hints: [], areAlike: false };
  const sorted = ends.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  return {
    hints: [at(0), at(0.5), at(0.9)],
    areAlike: sorted.length >= enoughEnds && at(0.9) <= at(0) * likeness,
  };
}

/** A pseudo-random number from 0 to 1, always the same for the text (FNV-1a with a final mix). */
function share(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
