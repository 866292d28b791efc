/** Says what went wrong in a run, from what was written down on all sides. Pure. */
import { exitCodes } from "../../../src/cli/exit-codes.ts";
import type { JournalEntry } from "../../../src/adapters/mock/journal.ts";
import type { CalledTask, RepeatedCall } from "../../engine/calls.ts";
import type { Ending, FaultWindow, Limits, PlanRecord, IdleSample, Sample, StreamRecord } from "./records.ts";

/** How long after its end a fault still explains something: calls run into their time, leases run out. */
const aftermathMs = 10_000;

export function judgePlans(
  accepted: readonly PlanRecord[],
  found: ReadonlyMap<string, { status: string; operation: string | null }>,
  tasks: readonly CalledTask[],
): string[] {
  const violations: string[] = [];
  for (const { planId, unitId, failing } of accepted) {
    const plan = found.get(planId);
    const wanted = failing.size > 0 ? "FAILED/FAILED" : "COMPLETED/SUCCEEDED";
    const has = plan ? `${plan.status}/${plan.operation}` : "lost";
    if (has === wanted) continue;
    const failed = tasks.filter((task) => task.planId === planId && task.status === "FAILED");
    const why = failed.map(({ taskId, result }) => `${taskId}: ${result}`).join("; ");
    violations.push(`plan ${planId} of ${unitId} is ${has} and should be ${wanted}. ${why}`);
  }
  const known = new Set(accepted.map(({ planId }) => planId));
  for (const planId of found.keys()) {
    if (!known.has(planId)) violations.push(`plan ${planId} was reported to nobody`);
  }
  return violations;
}

/** A component is what the last call that its adapter acted upon has made of it. */
export function judgeComponents(
  accepted: readonly PlanRecord[],
  { tasks, journal }: { tasks: readonly CalledTask[]; journal: readonly JournalEntry[] },
  statuses: ReadonlyMap<string, string>,
): string[] {
  const plans = new Map(accepted.map((plan) => [plan.planId, plan]));
  const planOfKey = new Map(tasks.map(({ idempotencyKey, planId }) => [idempotencyKey, planId]));
  const wanted = new Map<string, string>();
  for (const { operation, componentId, idempotencyKey, acted } of journal) {
    if (!acted || componentId === null || (operation !== "provision" && operation !== "unprovision"))
      continue;
    const plan = plans.get(planOfKey.get(idempotencyKey ?? "") ?? "");
    const failed = plan?.failing.has(componentId) === true;
    wanted.set(componentId, failed ? "CORRUPT" : operation === "provision" ? "DEPLOYED" : "NOT_DEPLOYED");
  }
  const all = new Set(accepted.flatMap(({ components }) => components));
  return [...all].flatMap((id) => {
    const has = statuses.get(id) ?? "NOT_DEPLOYED";
    const should = wanted.get(id) ?? "NOT_DEPLOYED";
    return has === should ? [] : [`component ${id} is ${has}, its adapter has left it ${should}`];
  });
}

export function judgeStreams(
  streams: readonly StreamRecord[],
  stored: ReadonlyMap<string, readonly number[]>,
): string[] {
  return streams.flatMap(({ planId, ids, isWhole }) => {
    if (!isWhole) return [`the stream of plan ${planId} did not come to its end`];
    const wanted = stored.get(planId) ?? [];
    if (ids.join() === wanted.join()) return [];
    const seen = new Set(ids);
    const missed = wanted.filter((id) => !seen.has(id)).length;
    return [
      `the stream of plan ${planId}: ${ids.length} of ${wanted.length} events, ${missed} missed, or out of order`,
    ];
  });
}

/** One violation for each process and kind, of its worst moment. */
export function judgeSamples(
  samples: readonly Sample[],
  limits: Limits,
  windows: readonly FaultWindow[],
): string[] {
  const kinds = ["connections", "descriptors"] as const;
  const byProcess = Map.groupBy(samples, ({ instance, pid }) => `${instance} (process ${pid})`);
  return [...byProcess].flatMap(([name, own]) =>
    kinds.flatMap((kind) => {
      const worst = own.reduce((a, b) => (b[kind] > a[kind] ? b : a));
      if (worst[kind] <= limits[kind]) return [];
      const during = windowsAt(windows, worst.at).join(", ") || "no fault";
      return [`${name} had ${worst[kind]} ${kind}, the limit is ${limits[kind]}; at that time: ${during}`];
    }),
  );
}

/** What was opened for requests and plans has been closed when there are none any more. */
export const judgeRest = (counts: readonly IdleSample[], limits: Limits): string[] =>
  counts.flatMap(({ instance, connections, descriptors }) =>
    connections > limits.connections || descriptors > limits.descriptors
      ? [
          `${instance} has ${connections} connections and ${descriptors} descriptors although nothing is at work; ` +
            `the limits are ${limits.connections} and ${limits.descriptors}`,
        ]
      : [],
  );

export interface EndLimits {
  /** From SIGTERM to the end. */
  stopMs: number;
  /** From the start of a process that can't start to its end. */
  failedStartMs: number;
}

export function judgeEndings(
  endings: readonly Ending[],
  endLimits: EndLimits,
  windows: readonly FaultWindow[],
): string[] {
  return endings.flatMap((ending) => {
    const { instance, how, code, tookMs, from, to, said } = ending;
    const during = windows.filter((window) => window.from <= to && window.to + aftermathMs >= from);
    const names = `during ${during.map(({ name }) => name).join(", ") || "no fault"}`;
    if (how === "itself") return [`${instance} ended by itself with ${code}, ${names}: ${said}`];
    if (how === "asked" || how === "asked at its start") {
      // One that came up after the signal ends with 0.
      const isCode = code === 0 || (how === "asked at its start" && code === exitCodes.interrupted.code);
      const isInTime = isCode && tookMs <= endLimits.stopMs;
      return isInTime ? [] : [`${instance} ended ${tookMs} ms after SIGTERM with ${code}, ${names}`];
    }
    if (how === "killed" || (how === "asked unborn" && tookMs <= endLimits.stopMs)) return [];
    const failed = code !== null && code !== 0 && tookMs <= endLimits.failedStartMs && during.length > 0;
    return failed
      ? []
      : [`${instance} was not up and ended with ${code} after ${tookMs} ms, ${names}: ${said}`];
  });
}

const windowsAt = (windows: readonly FaultWindow[], at: number): string[] =>
  windows.filter(({ from, to }) => from <= at && at <= to).map(({ name }) => name);

/** Something was broken between the two calls. */
export const isExplained =
  (windows: readonly FaultWindow[]) =>
  ({ first, again }: RepeatedCall): boolean =>
    windows.some(
      ({ from, to }) => from <= Date.parse(again.time) && Date.parse(first.time) <= to + aftermathMs,
    );

/** The call, or the word that it may be made, stood still while another process ended the task. */
export const mayBeLate =
  (windows: readonly FaultWindow[]) =>
  (call: JournalEntry, stoppedAt: Date): boolean =>
    windows.some(
      ({ holds, from, to }) =>
        holds && from <= stoppedAt.getTime() && Date.parse(call.time) <= to + aftermathMs,
    );
