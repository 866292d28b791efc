/** A look at one thing of an installation: whether it is as it should be, and if not, what to do. */

export const outcomes = ["ok", "warning", "problem", "skipped"] as const;
/** `warning`: somebody should look at it some time; `problem`: now. `skipped`: it needs what another check has found missing. */
export type Outcome = (typeof outcomes)[number];

/** Sentences for people, who may be on another machine: no secret, no path and no address of this one. */
export interface Finding {
  outcome: Outcome;
  found: string;
  /** What to do; null where nothing is to be done. */
  advice: string | null;
}

export interface Check {
  name: string;
  /** Page and section that say more, below docs/guides. */
  guide: string;
  /** The check without which this one cannot be made. */
  needs?: string;
  /** Its time limit, where the usual one is too short. */
  timeoutMs?: number;
  /** What it rejects with is logged, and is a problem of its own. */
  look(signal: AbortSignal): Promise<Finding>;
}

export const ok = (found: string): Finding => ({ outcome: "ok", found, advice: null });
export const warning = (found: string, advice: string): Finding => ({ outcome: "warning", found, advice });
export const problem = (found: string, advice: string): Finding => ({ outcome: "problem", found, advice });

/** Those who have nothing of their own to say need this one. */
export const databaseCheck = "database";
export const governanceDatabaseCheck = "governance database";

/** `1 row`, `3 rows`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** `40 s`, `12 minutes`, `3 hours`, `9 days`. */
export function ageOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} hours`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** `12 MiB`, `3.4 GiB`. */
export function sizeOf(bytes: number): string {
  const gib = bytes / 2 ** 30;
  return gib >= 1 ? `${gib.toFixed(1)} GiB` : `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
