/** Makes the checks: a few at a time, each with a time limit, and whatever one of them does, the others are made. */
import { DatabaseWait } from "../lib/database-wait.ts";
import { withinDatabaseWait } from "../lib/request-scope.ts";
import type { Logger } from "../lib/logger.ts";
import { problem, type Check, type Finding, type Outcome } from "../lib/check.ts";

export interface Checked extends Finding {
  name: string;
  guide: string;
  /** How long it took. */
  ms: number;
}

export interface DoctorReport {
  /** The worst of all checks. */
  outcome: Exclude<Outcome, "skipped">;
  checks: Checked[];
}

export interface RunChecksOptions {
  log: Logger;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Says why a check failed, where that may be shown. */
  reasonOf?: (error: unknown) => string;
}

/** Of one check, unless it has its own. */
const usualTimeoutMs = 3_000;
/** The pool has more connections; the rest is for what else the process does. */
const atOnce = 6;

/** In the order of the list. Those that others need are made first. */
export async function runChecks(checks: readonly Check[], options: RunChecksOptions): Promise<DoctorReport> {
  const done = new Map<Check, Checked>();
  const isMissing = ({ needs }: Check): boolean =>
    needs !== undefined &&
    [...done].some(([{ name }, { outcome }]) => name === needs && outcome === "problem");
  const [first, then] = [checks.filter(({ needs }) => !needs), checks.filter(({ needs }) => needs)];
  for (const part of [first, then]) {
    const left = part.values();
    const takeAll = async (): Promise<void> => {
      for (const check of left)
        done.set(check, isMissing(check) ? skipped(check) : await makeCheck(check, options));
    };
    await Promise.all(Array.from({ length: atOnce }, takeAll));
  }
  const all = checks.flatMap((check) => done.get(check) ?? []);
  return { outcome: worstOf(all), checks: all };
}

export const worstOf = (checks: readonly Finding[]): DoctorReport["outcome"] =>
  (["problem", "warning"] as const).find((each) => checks.some(({ outcome }) => outcome === each)) ?? "ok";

const skipped = (check: Check): Checked => ({
  name: check.name,
  guide: pageOf(check),
  outcome: "skipped",
  found: `It was not looked at, because the check "${check.needs}" has found a problem.`,
  advice: null,
  ms: 0,
});

const pageOf = ({ guide }: Check): string => `docs/guides/${guide}`;

async function makeCheck(check: Check, options: RunChecksOptions): Promise<Checked> {
  const beganAt = performance.now();
  const finding = await look(check, options);
  const { name } = check;
  return { name, guide: pageOf(check), ...finding, ms: Math.round(performance.now() - beganAt) };
}

async function look(check: Check, options: RunChecksOptions): Promise<Finding> {
  const { log, signal, reasonOf } = options;
  const timeoutMs = check.timeoutMs ?? options.timeoutMs ?? usualTimeoutMs;
  const { promise: late, resolve } = Promise.withResolvers<Finding>();
  const timer = setTimeout(() => resolve(tooLate(timeoutMs)), timeoutMs);
  const limit = AbortSignal.timeout(timeoutMs);
  const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  // Its statements end with it, so that one that hangs holds no connection.
  const work = withinDatabaseWait(new DatabaseWait(timeoutMs), async () => check.look(both)).catch(
    (error: unknown) => {
      log.warn({ check: check.name, error }, "a check of the installation failed");
      return failed(reasonOf?.(error) ?? null);
    },
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const tooLate = (ms: number): Finding =>
  problem(
    `The check had not ended after ${ms / 1_000} s.`,
    "Repeat it; if it stays, look what keeps the database or this process busy.",
  );

const failed = (reason: string | null): Finding =>
  reason === null
    ? problem(
        "The check itself failed.",
        'Read the line "a check of the installation failed" in the log of the process that answered.',
      )
    : problem(`The check itself failed: ${reason}`, "Mend what it names, and repeat it.");
