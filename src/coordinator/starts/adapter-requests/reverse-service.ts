/**
 * Reverse provisioning: an adapter reads existing resources and returns updates of an entity. No unit
 * changes.
 */
import type { ReverseProvisioningBody } from "./schema.ts";
import { loadEnabledAdapters } from "../../adapters/store.ts";
import type { Db } from "../../../platform/db/database.ts";
import type { Failure } from "../../../platform/errors/failure.ts";
import { coordinatorFailure } from "../../errors.ts";
import { reverseProvisioningBody } from "../../adapters/protocol/request-bodies.ts";
import { writeAudit, type WorkerContext } from "../../context.ts";
import { readPlanEnd, readUpdates } from "./store.ts";
import { environmentProblems } from "../../environments.ts";
import { acceptedNow } from "./accepted-plan.ts";
import { insertPlanRows } from "../../execution/new-plan-store.ts";
import { stages, type PlanRequest, planQueue } from "../../execution/types.ts";

/** Returns the token of a plan of one task. */
export async function startReverseProvisioning(
  ctx: WorkerContext,
  tx: Db,
  body: ReverseProvisioningBody,
): Promise<string> {
  const { environment, useCaseTemplateId, infrastructureTemplateIds } = body;
  const problems = environmentProblems(ctx, environment, "/environment");
  const adapters = await loadEnabledAdapters(tx, environment);
  const adapter = infrastructureTemplateIds
    .map((id) => adapters.get(id))
    .find((found) => found !== undefined);
  if (!adapter) {
    const message = `None of the ${infrastructureTemplateIds.length} templates has an adapter that is enabled in ${environment}.`;
    const solution = "Register an adapter for one of them there, or enable it.";
    problems.push({ where: "/infrastructureTemplateIds", message, solution });
  }
  if (problems.length > 0 || !adapter) throw refused(problems);
  const plan = acceptedNow(ctx, environment);
  const taskId = `reverse:${useCaseTemplateId}`;
  const request: PlanRequest = { descriptor: null, operations: [], removeData: false, enrichment: {} };
  await insertPlanRows(
    tx,
    {
      ...plan,
      kind: "REVERSE_PROVISIONING",
      unitKey: null,
      unitId: null,
      action: "REVERSE_PROVISION",
      request,
      descriptorVersion: "",
    },
    {
      tasks: [
        {
          task_id: taskId,
          stage: stages.execute,
          action: "REVERSE_PROVISION",
          component_key: null,
          component_id: null,
          component_name: useCaseTemplateId,
          depends_on: [],
          adapter_id: adapter.adapterId,
          adapter_url: adapter.url,
          snapshot: null,
          details: { body: reverseProvisioningBody(body) },
          idempotency_key: `${plan.id}:${taskId}`,
        },
      ],
    },
  );
  await writeAudit(tx, ctx, {
    operation: "startReverseProvisioning",
    subject: `adapter:${adapter.adapterId}@${environment}`,
    detail: { planId: plan.id, useCaseTemplateId },
  });
  await ctx.coordinator.jobs.send(tx, planQueue, { planId: plan.id });
  return plan.id;
}

export interface ReverseEnd {
  isCompleted: boolean;
  /** Why it is not. */
  message: string | null;
  /** What the adapter answered. */
  updates: Record<string, unknown>;
}

/** How the plan has ended; null while it has not. */
export async function readReverseEnd(ctx: WorkerContext, planId: string): Promise<ReverseEnd | null> {
  const db = ctx.coordinator.database.db;
  const end = await readPlanEnd(db, planId);
  if (end === null) return null;
  return { ...end, updates: end.isCompleted ? await readUpdates(db, planId) : {} };
}

const refused = (problems: Failure["problems"]): Failure =>
  coordinatorFailure("COORD_INVALID_REVERSE_PROVISIONING", {
    message: "The reverse provisioning can't be started.",
    problems,
  });
