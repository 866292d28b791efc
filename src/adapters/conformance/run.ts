/** One run of the conformance checks against one adapter: order, selection, clean-up, score. */
import { adviceOnFault } from "./advice.ts";
import type { Check, Finding, Group } from "./check.ts";
import type { Deviation } from "./deviation.ts";
import { groups } from "./check.ts";
import { accessChecks } from "./checks/access.ts";
import { authorizationChecks, validToken } from "./checks/authorization.ts";
import { oddInputChecks } from "./checks/odd-input.ts";
import { provisioningChecks } from "./checks/provisioning.ts";
import { reverseChecks } from "./checks/reverse.ts";
import { terminationChecks } from "./checks/termination.ts";
import { unprovisioningChecks } from "./checks/unprovisioning.ts";
import { validationChecks } from "./checks/validation.ts";
import { createCaller } from "./exchange.ts";
import { completed } from "./operation.ts";
import { createSession } from "./session.ts";
import type { Session, SessionOptions, Subject } from "./session.ts";

export interface RunOptions {
  url: string;
  subject: Subject;
  secret?: string | undefined;
  /** Limit of one call. */
  timeoutMs: number;
  /** Limit of one operation, polls included. */
  waitMs: number;
  pollMs: number;
  /** Groups and ids of checks; empty for all. */
  only: readonly string[];
  newId: () => string;
  now: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  signal: AbortSignal;
  /** Called with the result of every check as it ends. */
  onCheck?: (result: CheckResult) => void;
}

export interface CheckResult {
  id: string;
  group: Group;
  title: string;
  outcome: "pass" | "warn" | "fail" | "skipped";
  /** Why it was skipped, or a remark. */
  note?: string;
  deviations: Deviation[];
}

export interface Report {
  results: CheckResult[];
  counts: Record<CheckResult["outcome"], number>;
  /** 0 to 100: a pass counts whole, a warning half; null when nothing was checked. */
  score: number | null;
  /** False when the first call got no answer; then nothing else was tried. */
  reachable: boolean;
  /** False when a signal ended it early; what was deployed is removed all the same. */
  complete: boolean;
  /** Components that could not be removed. */
  leftBehind: string[];
}

/** All checks in their order. */
export const allChecks = (secret?: string): Check[] =>
  [
    ...validationChecks,
    ...authorizationChecks(secret),
    ...provisioningChecks,
    ...accessChecks,
    ...reverseChecks,
    ...oddInputChecks,
    ...terminationChecks,
    ...unprovisioningChecks,
    inTime,
  ].toSorted((left, right) => placeOf(left.group) - placeOf(right.group));

const placeOf = (group: Group): number => Object.keys(groups).indexOf(group);

/** The checks that `only` names, and its unknown names. */
export function selectChecks(
  checks: Check[],
  only: readonly string[],
): { chosen: Check[]; unknown: string[] } {
  const names = new Set(checks.flatMap(({ id, group }) => [id, group]));
  const unknown = only.filter((name) => !names.has(name));
  const chosen = checks.filter(
    ({ id, group }) => only.length === 0 || only.includes(id) || only.includes(group),
  );
  return { chosen, unknown };
}

export async function runConformance(options: RunOptions): Promise<Report> {
  const { chosen } = selectChecks(allChecks(options.secret), options.only);
  const mask = masker(options);
  const infos: SessionOptions["infos"] = new Map();
  const session = sessionOf(options, { signal: options.signal, mask, infos });
  const results: CheckResult[] = [];
  const report = (found: CheckResult): void => {
    // A finding may quote the adapter.
    const deviations = found.deviations.map((each) => ({ ...each, what: mask.text(each.what) }));
    const result = { ...found, deviations };
    results.push(result);
    options.onCheck?.(result);
  };
  let reachable = true;
  let complete = true;
  for (const check of chosen) {
    if (options.signal.aborted) complete = false;
    if (!complete) break;
    if (!reachable)
      report({ ...headOf(check), outcome: "skipped", note: "nothing answers at the URL", deviations: [] });
    else {
      try {
        report(resultOf(check, await check.run(session)));
        await session.recover();
      } catch (error) {
        if (!options.signal.aborted) throw error;
        complete = false;
      }
      reachable = isReachable(session);
    }
  }
  // The clean-up has a signal of its own: an interrupt must not leave components behind.
  const tidying = await tidyUp(
    session,
    sessionOf(options, { signal: new AbortController().signal, mask, infos }),
  );
  if (tidying) report(tidying);
  const counts = { pass: 0, warn: 0, fail: 0, skipped: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  const counted = counts.pass + counts.warn + counts.fail;
  return {
    results,
    counts,
    // Rounded down, so that only a run without any deviation has the full score.
    score: counted === 0 ? null : Math.floor((100 * (counts.pass + counts.warn / 2)) / counted),
    reachable,
    complete,
    leftBehind: tidying?.outcome === "fail" ? session.leftovers() : [],
  };
}

interface Mask {
  text: (text: string) => string;
  authorization: () => Promise<string | null>;
}

/** Creates the credentials of a run, and masks them in reports. */
function masker({ secret, now }: RunOptions): Mask {
  const tokens: string[] = [];
  let madeAt = 0;
  return {
    text: (text) => {
      const secrets = [...tokens, ...(secret ? [secret] : [])];
      return secrets.reduce((shown, each) => shown.replaceAll(each, "***"), text);
    },
    authorization: async () => {
      if (secret === undefined) return null;
      const token = now() - madeAt < renewMs ? tokens.at(-1) : undefined;
      if (token !== undefined) return `Bearer ${token}`;
      const made = await validToken(secret);
      madeAt = now();
      tokens.push(made);
      return `Bearer ${made}`;
    },
  };
}

/** Well before a token expires. */
const renewMs = 300_000;

type Parts = Pick<SessionOptions, "signal" | "infos"> & { mask: Mask };

function sessionOf(options: RunOptions, { signal, mask, infos }: Parts): Session {
  const { subject, newId, now, waitMs, pollMs, url, timeoutMs } = options;
  const { authorization, text } = mask;
  const caller = createCaller({ url, timeoutMs, authorization, mask: text, now });
  const sleep = (ms: number): Promise<void> => options.sleep(ms, signal);
  return createSession({ subject, caller, newId, sleep, now, waitMs, pollMs, signal, infos });
}

const headOf = ({ id, group, title }: Check): Pick<CheckResult, "id" | "group" | "title"> => ({
  id,
  group,
  title,
});

function resultOf(check: Check, finding: Finding): CheckResult {
  if ("skipped" in finding) {
    return { ...headOf(check), outcome: "skipped", note: finding.skipped, deviations: [] };
  }
  const { deviations, note } = finding;
  const failed = deviations.some(({ severity }) => severity === "fail");
  const outcome = failed ? "fail" : deviations.length > 0 ? "warn" : "pass";
  return { ...headOf(check), outcome, deviations, ...(note === undefined ? {} : { note }) };
}

/** False when no call has been answered, for another reason than a timeout. */
function isReachable(session: Session): boolean {
  const exchanges = session.exchanges();
  return exchanges.length === 0 || exchanges.some(({ answer, timedOut }) => answer !== undefined || timedOut);
}

const inTime: Check = {
  id: "answers.in-time",
  group: "answers",
  title: "answers every call within its time",
  changes: false,
  async run(session) {
    const calls = session.exchanges();
    const slowest = calls.toSorted((left, right) => right.ms - left.ms)[0];
    if (!slowest) return { skipped: "no call was made" };
    const late = calls.filter((exchange) => exchange.timedOut === true || exchange.ms >= slowMs);
    const unanswered = late.filter((exchange) => exchange.timedOut).length;
    const note = `the slowest took ${(slowest.ms / 1000).toFixed(2)} s, ${unanswered} of ${calls.length} had no answer in time`;
    if (late.length === 0) return { deviations: [], note };
    const exchange = late.find(({ timedOut }) => timedOut) ?? slowest;
    const took = `${exchange.method} ${exchange.path} took ${(exchange.ms / 1000).toFixed(1)} s`;
    const what = `${took}${late.length > 1 ? `, and ${late.length - 1} more calls were late` : ""}.`;
    const protocol = "Callers wait a limited time (30 s by default), and proxies often less.";
    const fix = adviceOnFault({ ...exchange, timedOut: true });
    // A call without an answer has failed its own check as well; here it is counted.
    const severity = unanswered > 0 ? "fail" : "warn";
    return { deviations: [{ severity, what, protocol, fix, exchange }], note };
  },
};

/** Proxies commonly time out after 30 s, so calls above 10 s are reported. */
const slowMs = 10_000;

/** Removes what is still deployed, the data too. Undefined when there is nothing. */
async function tidyUp(session: Session, own: Session): Promise<CheckResult | undefined> {
  const left = session.leftovers();
  if (left.length === 0) return undefined;
  const check = {
    id: "answers.tidy",
    group: "answers",
    title: "removes what this run has deployed",
  } as const;
  const deviations: Deviation[] = [];
  for (const id of left) {
    const ended = await own.unprovision(true, id);
    const found = completed(ended, `The removal of ${id}`);
    if (found.some(({ severity }) => severity === "fail")) deviations.push(...found);
    else session.forget(id);
  }
  return {
    ...check,
    outcome: deviations.length > 0 ? "fail" : "pass",
    deviations,
    note:
      deviations.length > 0
        ? `left behind: ${session.leftovers().join(", ")}`
        : `removed: ${left.join(", ")}`,
  };
}
