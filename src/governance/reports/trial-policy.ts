/** Pure: the policy of a trial, as it is stored with its report. */
import type { EvaluatedPolicy } from "../evaluations/policy.ts";

export type TrialPolicy = Omit<EvaluatedPolicy, "status" | "graceUntil">;

/** A trial says what the policy would do if it were enabled, whatever its status is. */
export const policyOfTrial = (stored: TrialPolicy): EvaluatedPolicy => ({
  ...stored,
  status: "draft",
  graceUntil: null,
});
