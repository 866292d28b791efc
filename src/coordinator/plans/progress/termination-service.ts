/** What a termination will do, before it is asked for. */
import { isAllowed, rolesThatMay } from "../../../platform/auth/policy.ts";
import type { CoordinatorContext } from "../../context.ts";
import { unknownPlan } from "../../errors.ts";
import { isTerminal } from "../../execution/transitions.ts";
import { activePlanOf, planFinished } from "../service.ts";
import { changesComponent, foresee } from "./foresee.ts";
import type { TerminationPreview } from "./termination-schema.ts";
import { readTerminable } from "./termination-store.ts";

/** Refuses a plan that has ended, as the termination does. */
export async function getTerminationPreview(
  ctx: CoordinatorContext,
  token: string,
): Promise<TerminationPreview> {
  const plan = await readTerminable(ctx.coordinator.database.db, token);
  if (!plan) throw unknownPlan(token);
  if (isTerminal(plan.status)) throw planFinished(token);
  const { status, terminateMode, tasks } = plan;
  const asked = { terminateMode, hasBegun: plan.startedAt !== null };
  return {
    executionPlanId: token,
    status,
    requestedMode: terminateMode,
    mayTerminate: isAllowed(ctx.actor, "terminatePlan"),
    whoMay: rolesThatMay("terminatePlan"),
    done: tasks
      .filter((task) => task.status === "COMPLETED" && changesComponent(task))
      .flatMap(({ componentId }) => componentId ?? []),
    modes: (["safe", "forced"] as const).map((mode) => ({ mode, ...foresee(asked, tasks, mode) })),
  };
}

export const getUnitTerminationPreview = async (
  ctx: CoordinatorContext,
  unit: { unitId: string; environment: string },
): Promise<TerminationPreview> => getTerminationPreview(ctx, await activePlanOf(ctx, unit));
