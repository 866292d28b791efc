/** Pure: the policy of a trial, as it is stored with its report. */
import type { EvaluatedPolicy } from "../evaluations/policy.ts";

export type TrialPolicy = Omit<EvaluatedPolicy, "status" | "graceUntil">;

/** The request of a trial on everything that is deployed, as it is stored. */
export interface StoredTrial {
  policy: TrialPolicy;
  /** The caller's own, not a stored one: what is deployed is shown to it without secrets. */
  isGiven: boolean;
}

/** A trial says what the policy would do if it were enabled, whatever its status is. */
export const policyOfTrial = (stored: TrialPolicy): EvaluatedPolicy => ({
  ...stored,
  status: "draft",
  graceUntil: null,
});
