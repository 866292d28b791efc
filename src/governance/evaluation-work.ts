/** What evaluations are made of in a process: the policies of plans, the worker of reports and schedules. */
import { databaseFailure } from "../platform/db/failures.ts";
import type { Platform } from "../platform/runtime/platform.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";
import type { GovernanceDeps } from "./context.ts";
import type { EvaluationDeps } from "./evaluations/evaluate.ts";
import { actionType, decideAction, type ActionVerdict, type AgentAction } from "./reports/action-policies.ts";
import { createPolicies, type PlanPolicies } from "./reports/plan-policies.ts";
import { startEvaluationWorker, type EvaluationWorker } from "./reports/worker.ts";

const evaluationDeps = ({
  engines,
  policies,
}: Pick<GovernanceDeps, "engines" | "policies">): EvaluationDeps => ({
  engines,
  readExceptions: (now) => policies.approved(now),
});

/** For the plans of the coordinator. */
export const planPolicies = (deps: Pick<GovernanceDeps, "database" | "engines" | "policies">): PlanPolicies =>
  createPolicies({
    ...evaluationDeps(deps),
    database: deps.database,
    readForDeployments: async (environment) =>
      (await deps.policies.inForce())
        .filter(({ timing, trigger }) => timing === "deployment" && trigger === "active")
        .map(({ policy }) => policy)
        .filter(({ environments }) => environments.length === 0 || environments.includes(environment)),
    failureOf: databaseFailure,
  });

/** For the agents of the assistant. */
export const actionPolicies =
  (deps: Pick<GovernanceDeps, "engines" | "policies">) =>
  (ctx: RequestContext, action: AgentAction): Promise<ActionVerdict> =>
    decideAction(
      {
        ...evaluationDeps(deps),
        readForActions: async () =>
          (await deps.policies.inForce())
            .filter(
              ({ trigger, policy }) =>
                trigger === "active" && policy.resourceType?.toLowerCase() === actionType,
            )
            .map(({ policy }) => policy),
      },
      ctx,
      action,
    );

/** Reports and schedules. */
export async function startEvaluationWork(
  platform: Platform,
  deps: GovernanceDeps,
): Promise<EvaluationWorker> {
  const { config, log, now } = platform;
  const { parallelReports } = config.governance.evaluations;
  const { policies, database, deployedUnits, settings } = deps;
  // The last: a start that fails here has nothing to end.
  return startEvaluationWorker({
    ...evaluationDeps(deps),
    database,
    deployedUnits,
    log,
    now,
    parallel: parallelReports,
    environments: settings.environments,
    readActive: async () =>
      (await policies.inForce()).filter(({ trigger }) => trigger === "active").map(({ policy }) => policy),
    readInForce: async (id) =>
      (await policies.inForce()).find(({ policy }) => policy.id === id)?.policy ?? null,
    readScheduled: async () =>
      (await policies.inForce()).flatMap(({ policy, timing, trigger, schedule, updatedAt }) =>
        schedule === null || timing !== "runtime" || trigger !== "active"
          ? []
          : [{ id: policy.id, schedule, environments: policy.environments, since: updatedAt }],
      ),
  });
}
