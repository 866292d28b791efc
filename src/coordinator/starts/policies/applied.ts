/** Asks governance, before a start or preview is decided, which policies apply. */
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import { coordinatorFailure } from "../../errors.ts";
import type { CoordinatorDeps } from "../../context.ts";

type Source = Pick<CoordinatorDeps, "policies" | "settings">;

export interface AppliedPolicies {
  /** Whether the plan gets tasks that evaluate them; true also while nobody can say. */
  hasPolicies: boolean;
  /** Part of the plan's hash; undefined when there are none. */
  fingerprint: string | undefined;
}

/**
 * Rejects while governance is unavailable, when the fingerprint is needed to compare plans and the operator has
 * not said that plans may go on.
 */
export async function readPolicies(
  ctx: RequestContext,
  { policies, settings }: Source,
  { environment, isCompared }: { environment: string; isCompared: boolean },
): Promise<AppliedPolicies> {
  if (policies === undefined) return { hasPolicies: false, fingerprint: undefined };
  try {
    const fingerprint = await policies.fingerprint(ctx, environment);
    return fingerprint === ""
      ? { hasPolicies: false, fingerprint: undefined }
      : { hasPolicies: true, fingerprint };
  } catch (error) {
    ctx.log.warn({ environment, reason: (error as Error).message }, "the policies could not be read");
    if (isCompared && settings.policiesOnUnavailable === "block") throw policiesUnavailable();
    return { hasPolicies: true, fingerprint: "unavailable" };
  }
}

export const policiesUnavailable = () =>
  coordinatorFailure("COORD_POLICIES_UNAVAILABLE", {
    message: "The policies that apply can't be read at the moment.",
  });
