/** Pure: whether a plan that repairs drift starts by itself, or somebody is asked. */
import type { PlannedChange } from "../../planning/model.ts";
import type { OwnershipAnswer } from "../../ports.ts";

export interface Judged {
  /** What has drifted, with what is deployed together with it. */
  components: readonly string[];
  /** What the plan would do. */
  operations: readonly Pick<PlannedChange, "componentId" | "action" | "reason">[];
  isStoppedByPolicies: boolean;
  /** What the rules say of an owner; null where there are none. */
  ownership: OwnershipAnswer | null;
  lastStart: Date | null;
  failures: number;
}

export interface JudgeLimits {
  perUnitMs: number;
  stopAfterFailures: number;
}

/** Why a person is asked; null where the plan starts by itself. */
export function reasonToAsk(
  judged: Judged,
  { perUnitMs, stopAfterFailures }: JudgeLimits,
  now: Date,
): string | null {
  const { ownership, lastStart, failures } = judged;
  if (ownership?.verdict === "deny") return `The rule "${ownership.rule}" lets no owner start it.`;
  if (ownership?.verdict === "approval") return `The rule "${ownership.rule}" asks for an approval.`;
  if (judged.isStoppedByPolicies) return "Policies would stop the plan.";
  if (changesMore(judged)) return "The plan would change more than what has drifted.";
  if (lastStart && now.getTime() - lastStart.getTime() < perUnitMs)
    return `The unit was repaired by itself at ${lastStart.toISOString()}, and has drifted again.`;
  if (failures >= stopAfterFailures)
    return `The last ${failures} repairs in the environment have failed; the next that succeeds lets them start by themselves again.`;
  return null;
}

/** Components that were deployed from an earlier descriptor, or are pulled in. */
function changesMore({ components, operations }: Judged): boolean {
  const drifted = new Set(components.map((id) => id.toLowerCase()));
  return operations.some(
    ({ componentId, action, reason }) =>
      action !== "NONE" &&
      !(drifted.has(componentId.toLowerCase()) && action === "REDEPLOY" && reason === "REQUESTED"),
  );
}
