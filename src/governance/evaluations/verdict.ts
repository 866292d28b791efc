/** Pure: what the answer of an engine means for a resource, by the status of the policy and its exceptions. */
import type { EngineOutcome } from "../engines/engine.ts";
import { shownText } from "../engines/limits.ts";
import type { ApprovedException, EvaluatedPolicy, Resource, Threshold } from "./policy.ts";
import { idKey } from "./resources.ts";

export type Outcome = "ok" | "warning" | "error" | "failed";

export interface Verdict {
  outcome: Outcome;
  /** Whether it stops a deployment. */
  isBlocking: boolean;
  /** The engine gave no answer. */
  isError: boolean;
  isSatisfied: boolean;
  value: number | null;
  label: string | null;
  errors: readonly { path?: string; message: string }[];
  /** The exception that excuses a violation; null where none does. */
  exceptionId: string | null;
}

export type OutcomeCounts = Record<Outcome, number>;

export function countOutcomes(results: readonly { outcome: Outcome }[]): OutcomeCounts {
  const counts: OutcomeCounts = { ok: 0, warning: 0, error: 0, failed: 0 };
  for (const { outcome } of results) counts[outcome]++;
  return counts;
}

/** Whether a policy warns or blocks at a time: grace past its date counts as enabled. A draft is tried as if it were enabled. */
export const countsAs = (policy: EvaluatedPolicy, now: Date): "grace" | "enabled" =>
  policy.status === "grace" && (policy.graceUntil === null || policy.graceUntil > now) ? "grace" : "enabled";

export interface VerdictInput {
  policy: EvaluatedPolicy;
  outcome: EngineOutcome;
  /** The exception that covers the resource, if any. */
  exception: ApprovedException | null;
  now: Date;
}

/** A metric of a schema, which could be stored once, gives no number. */
const noValue: EngineOutcome = { ok: false, reason: "broken", message: "The engine gave no number." };

export function verdictOf({ policy, outcome: answer, exception, now }: VerdictInput): Verdict {
  const isWithoutValue = policy.kind === "metric" && answer.ok && answer.value === undefined;
  const outcome = isWithoutValue ? noValue : answer;
  const isEnabled = policy.kind === "policy" && countsAs(policy, now) === "enabled";
  const blocks = isEnabled && exception === null;
  const exceptionId = exception?.id ?? null;
  const nothing = { value: null, label: null };
  if (!outcome.ok) {
    const errors = [{ message: shownText(outcome.message) }];
    const isBlocking = blocks && policy.onError === "block";
    return {
      ...nothing,
      outcome: "failed",
      isBlocking,
      isError: true,
      isSatisfied: false,
      errors,
      exceptionId,
    };
  }
  const { errors } = outcome;
  const right = { outcome: "ok", isBlocking: false, isError: false, isSatisfied: true } as const;
  if (policy.kind === "metric") {
    const value = outcome.value ?? null;
    return {
      ...right,
      value,
      label: value === null ? null : labelOf(policy.thresholds, value),
      errors,
      exceptionId: null,
    };
  }
  if (outcome.satisfied === true) return { ...right, ...nothing, errors, exceptionId: null };
  const wrong = { ...nothing, isBlocking: blocks, isError: false, isSatisfied: false, errors, exceptionId };
  return { ...wrong, outcome: blocks ? "error" : "warning" };
}

/** The label of the first range that a value falls into, or else ends with it; null where there is none. */
export const labelOf = (thresholds: readonly Threshold[], value: number): string | null =>
  (
    thresholds.find(({ from, to }) => value >= (from ?? -Infinity) && value < (to ?? Infinity)) ??
    thresholds.find(({ to }) => value === to)
  )?.label ?? null;

/**
 * Whether an exception may excuse a resource; one with an expression has to be asked about it as well, which takes a
 * descriptor.
 */
export const isCandidate = (
  exception: ApprovedException,
  at: { policyId: string; resource: Resource; now: Date },
): boolean =>
  exception.policyId === at.policyId &&
  exception.until > at.now &&
  includesOrEmpty(exception.environments, at.resource.environment) &&
  (exception.select === null
    ? exception.resourceIds.some((id) => idKey(id) === idKey(at.resource.id))
    : at.resource.descriptor !== undefined);

/** Whether a policy is about resources of this type in this environment; its expression is asked later. */
export const isAbout = (
  policy: EvaluatedPolicy,
  { environment, resourceType, original }: Resource,
): boolean =>
  includesOrEmpty(policy.environments, environment) &&
  (policy.resourceType === null || policy.resourceType.toLowerCase() === resourceType.toLowerCase()) &&
  // There is nothing to compare before the first deployment.
  (policy.strategy !== "previous_vs_current" || original !== undefined);

const includesOrEmpty = (list: readonly string[], item: string): boolean =>
  list.length === 0 || list.includes(item);
