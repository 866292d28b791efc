/** Pure. Whether an adapter answers, by the calls that happened. */
import type { AdapterHealth } from "./schema.ts";

export type Outcome = "COMPLETED" | "FAILED" | "UNANSWERED" | "UNKNOWN" | "TERMINATED";

export interface PastCall {
  executionPlanId: string;
  taskId: string;
  action: string;
  outcome: Outcome;
  startedAt: Date;
  stoppedAt: Date;
  message: string | null;
}

/** A call that is at work now. */
export interface OpenCall {
  /** Why and since when the same call waits to be made again; null while its answer is awaited. */
  waiting: { reason: string; since: string } | null;
}

type Health = Omit<AdapterHealth, "adapterId" | "name" | "environment" | "enabled">;
type Verdict = Pick<AdapterHealth, "health" | "since" | "reason">;

/** Without a call for so long nobody can say. */
const silenceMs = 24 * 60 * 60 * 1000;
/** So many of the last calls are compared with those before them. */
const recentCalls = 5;
const fewestBefore = 10;
const slowFactor = 3;
/** Shorter than that nothing is slow. */
const leastSlowMs = 1000;

/** `calls` with the last one first. */
export function healthOf(calls: readonly PastCall[], open: readonly OpenCall[], now: Date): Health {
  const durations = calls.filter(({ outcome }) => outcome === "COMPLETED").map(msOf);
  const lastError = calls.find(({ outcome }) => outcome !== "COMPLETED" && outcome !== "TERMINATED");
  const count = (...outcomes: Outcome[]): number =>
    calls.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    ...verdictOf(calls, open, now),
    calls: {
      completed: count("COMPLETED"),
      failed: count("FAILED"),
      unanswered: count("UNANSWERED", "UNKNOWN"),
      terminated: count("TERMINATED"),
    },
    atWork: open.length,
    medianMs: quantile(durations, 0.5),
    p90Ms: quantile(durations, 0.9),
    lastCallAt: calls[0]?.stoppedAt.toISOString() ?? null,
    lastError: lastError
      ? {
          executionPlanId: lastError.executionPlanId,
          taskId: lastError.taskId,
          action: lastError.action,
          outcome: lastError.outcome,
          at: lastError.stoppedAt.toISOString(),
          message: lastError.message ?? "",
        }
      : null,
  };
}

function verdictOf(calls: readonly PastCall[], open: readonly OpenCall[], now: Date): Verdict {
  const repeated = open
    .flatMap(({ waiting }) => waiting ?? [])
    .toSorted((a, b) => (a.since < b.since ? -1 : 1));
  const first = repeated[0];
  if (first) return { health: "FAILING", since: first.since, reason: `A call is repeated: ${first.reason}` };
  // What somebody ended says nothing of the adapter.
  const telling = calls.filter(({ outcome }) => outcome !== "TERMINATED");
  const [last] = telling;
  if (!last) return { health: "UNKNOWN", since: null, reason: "No call of it is known." };
  const since = last.stoppedAt.toISOString();
  if (now.getTime() - last.stoppedAt.getTime() > silenceMs)
    return { health: "UNKNOWN", since, reason: "It has not been called for a day." };
  if (isUnanswered(last)) {
    const run = streakOf(telling, isUnanswered);
    const many = run.length === 1 ? "The last call was" : `The last ${run.length} calls were`;
    return { health: "FAILING", since: beganAt(run), reason: `${many} not answered.` };
  }
  const answered = streakOf(telling, (call) => !isUnanswered(call));
  return slowness(answered) ?? { health: "ANSWERING", since: beganAt(answered), reason: "It answers." };
}

const isUnanswered = ({ outcome }: PastCall): boolean => outcome === "UNANSWERED" || outcome === "UNKNOWN";

/** The last calls in a row that are so. */
function streakOf(calls: readonly PastCall[], isSo: (call: PastCall) => boolean): readonly PastCall[] {
  const end = calls.findIndex((call) => !isSo(call));
  return end === -1 ? calls : calls.slice(0, end);
}

const beganAt = (streak: readonly PastCall[]): string | null =>
  streak.at(-1)?.stoppedAt.toISOString() ?? null;

/** Compares each of the last calls with the earlier ones of its action; null where they are not slower. */
function slowness(answered: readonly PastCall[]): Verdict | null {
  const completed = answered.filter(({ outcome }) => outcome === "COMPLETED");
  const recent = completed.slice(0, recentCalls);
  const before = completed.slice(recentCalls);
  if (recent.length < recentCalls || before.length < fewestBefore) return null;
  const usual = new Map(
    [...Map.groupBy(before, ({ action }) => action)].map(([action, some]) => [
      action,
      quantile(some.map(msOf), 0.5) ?? 0,
    ]),
  );
  const isSlow = (call: PastCall): boolean => {
    const ms = usual.get(call.action);
    return ms !== undefined && msOf(call) >= leastSlowMs && msOf(call) > slowFactor * ms;
  };
  const slow = recent.filter(isSlow);
  if (slow.length <= recentCalls / 2) return null;
  const reason = `${slow.length} of the last ${recentCalls} calls took more than ${slowFactor} times as long as usual.`;
  return { health: "SLOW", since: slow.at(-1)?.startedAt.toISOString() ?? null, reason };
}

export const msOf = ({ startedAt, stoppedAt }: Pick<PastCall, "startedAt" | "stoppedAt">): number =>
  Math.max(0, stoppedAt.getTime() - startedAt.getTime());

/** Between two values in proportion; null of none. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === undefined || high === undefined ? null : low + (high - low) * (place - Math.floor(place));
}
