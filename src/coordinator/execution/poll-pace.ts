/**
 * When to ask an adapter again. The wait grows with each poll, so work that ends just after one would be noticed much
 * too late; therefore the waits are spread between tasks, and what some task has shown (work of this kind is done
 * after so long) the others use: they ask when the quickest of late were done, when half and when most of them were.
 * Where all take about as long, only one in four asks before the quickest, to notice when it gets quicker.
 * Holds no clock: times are milliseconds since the adapter accepted the work.
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
  /** Of the last poll; 0 before the first. */
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
/** From so many ends on, within this factor of each other, work is known to take about as long. */
const enoughEnds = 16;
const likeness = 1.25;
/** Of the usual time: the first wait of work that is over it; each further one doubles what it is over by. */
const overduePart = 0.04;
/** Between two polls of a task, however close a hint is. */
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
      // The kind that was seen last comes last, so the first is the one to forget.
      ends.delete(kind);
      ends.set(kind, [...known.slice(1 - keptEnds), doneMs]);
      if (ends.size > keptKinds) ends.delete(ends.keys().next().value ?? kind);
    },
  };
}

/** Asked a little too early, or by a straggler: what is over the usual time is likely to end soon, ever less so. */
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

/** A number from 0 to 1 that looks random and is always the same for the text (FNV-1a, and a last mixing). */
function share(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
