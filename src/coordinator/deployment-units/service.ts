/** Preview, start and status of a deployment unit in an environment. */
import { inTransaction, type Db } from "../../platform/db/database.ts";
import { writeAudit } from "../../platform/db/audit.ts";
import { isUniqueViolation } from "../../platform/db/failures.ts";
import { Failure, type Problem } from "../../platform/errors/failure.ts";
import { newId } from "../../platform/lib/ids.ts";
import type { CoordinatorContext } from "../context.ts";
import { invalidDescriptor } from "../errors.ts";
import { idKey } from "../descriptor/ids.ts";
import { readUnit as readDescriptor, type Unit } from "../descriptor/unit.ts";
import { noticeTasks } from "../external-services/tasks.ts";
import { planQueue } from "../execution/queue.ts";
import { operationEntries } from "../operations/entries.ts";
import type { LastKnownComponent, PlanMode, PlanResponse } from "../planning/model.ts";
import { conflictProblems, planProvisioning, planResponse, type PlanResult } from "../planning/plan.ts";
import { newTasks, planRequest } from "./new-plan.ts";
import type { ProvisioningBody } from "./schema.ts";
import {
  findActivePlan,
  insertPlan,
  loadComponents,
  loadEnabledAdapters,
  lockUnit,
  type ComponentRow,
  type EnabledAdapter,
  type UnitKey,
} from "./store.ts";

export interface ProvisioningRequest {
  unitId: string;
  environment: string;
  mode: PlanMode;
  body: ProvisioningBody;
}

/** What would happen; changes nothing. Problems of the input are a Failure, conflicts are an answer (KO). */
export async function previewProvisioning(
  ctx: CoordinatorContext,
  request: ProvisioningRequest,
): Promise<PlanResponse> {
  const { plan } = await decide(ctx, ctx.coordinator.database.kysely, request);
  if ("problems" in plan && plan.problems) throw invalidDescriptor(plan.problems);
  return planResponse(plan);
}

/** Accepts a plan and enqueues its execution, all in one transaction. Returns its token. */
export async function startProvisioning(
  ctx: CoordinatorContext,
  request: ProvisioningRequest,
): Promise<string> {
  const { database } = ctx.coordinator;
  const at: UnitKey = { unitKey: idKey(request.unitId), environment: request.environment };
  if (!ctx.coordinator.settings.environments.includes(request.environment)) {
    // Known before the unit's row is locked, so that no row appears for an environment that is none.
    const { plan } = await decide(ctx, database.kysely, request);
    if ("problems" in plan && plan.problems) throw invalidDescriptor(plan.problems);
  }
  return inTransaction(database, async (tx) => {
    await lockUnit(tx, at, request.unitId);
    const active = await findActivePlan(tx, at);
    if (active) throw alreadyActive(request, active);
    const { plan, unit, known, adapters } = await decide(ctx, tx, request);
    if ("problems" in plan && plan.problems) throw invalidDescriptor(plan.problems);
    if (!unit) throw invalidDescriptor([]);
    if (plan.outcome === "KO") throw conflicting(conflictProblems(plan));
    const planId = newId();
    const material = { planId, plan, unit, known, adapters };
    const changes = plan.operations;
    const tasks = newTasks(material);
    const isDeploy = changes.every(({ action }) => action !== "UNDEPLOY") || changes.some(isDeployment);
    const endsDeployed = changes.some(({ targetStatus }) => targetStatus === "DEPLOYED");
    const now = ctx.now();
    await insertPlan(
      tx,
      {
        id: planId,
        kind: "PROVISIONING",
        ...at,
        unitId: unit.id,
        action: isDeploy ? "PROVISION" : "UNPROVISION",
        originator: ctx.actor.ref,
        request: planRequest(material),
        descriptorVersion: unit.version,
        traceparent: ctx.traceparent,
        now,
        deadlineAt: new Date(
          now.getTime() + ctx.coordinator.settings.operationTimeoutMs(request.environment),
        ),
        operationAction: isDeploy ? "DEPLOY" : "UNDEPLOY",
        components: operationEntries({ changes, tasks, components: unit.components }),
      },
      [...tasks, ...noticeTasks({ planId, endsDeployed, services: ctx.coordinator.settings.services })],
    );
    await writeAudit(tx, ctx, {
      operation: "startProvisioning",
      subject: `unit:${unit.id}@${request.environment}`,
      detail: { planId, descriptorVersion: unit.version, mode: request.mode, removeData: plan.removeData },
    });
    await ctx.coordinator.jobs.send(tx, planQueue, { planId });
    return planId;
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, "operations_active") ? alreadyActive(request, null) : error;
  });
}

const isDeployment = ({ action }: { action: string }): boolean =>
  action === "DEPLOY" || action === "REDEPLOY";

interface Decided {
  plan: PlanResult;
  unit: Unit | undefined;
  known: ComponentRow[];
  adapters: Map<string, EnabledAdapter>;
}

async function decide(ctx: CoordinatorContext, db: Db, request: ProvisioningRequest): Promise<Decided> {
  const { body, environment } = request;
  const { unit, problems } = readDescriptor(body.descriptor);
  if (!unit) return { plan: { problems }, unit, known: [], adapters: new Map() };
  const unitKey = idKey(request.unitId);
  const known = await loadComponents(db, { unitKey, environment });
  const adapters = await loadEnabledAdapters(db, environment);
  const plan = planProvisioning({
    unit,
    problems,
    last: {
      components: known.filter((row) => row.parentKey === null && row.key !== unitKey).map(asLastKnown),
      root: known.filter((row) => row.key === unitKey).map(asLastKnown)[0],
    },
    targets: body.targetStatus,
    mode: request.mode,
    preventRedeploy: body.preventRedeploy,
    removeData: body.removeData,
    configured: {
      environment,
      environments: ctx.coordinator.settings.environments,
      hasAdapter: (template) => adapters.has(template),
      pathUnitId: request.unitId,
      unitIdPattern: ctx.coordinator.settings.unitIdPattern,
    },
  });
  return { plan, unit, known, adapters };
}

const asLastKnown = (row: ComponentRow): LastKnownComponent => ({
  componentId: row.id,
  status: row.status,
  hash: row.hash,
  dependsOn: row.dependsOn,
  name: row.name ?? undefined,
  infrastructureTemplateId: row.infrastructureTemplateId ?? undefined,
  deployedOrder: row.updatedAt.getTime(),
});

const conflicting = (problems: Problem[]): Failure =>
  new Failure({
    kind: "invalid",
    code: "COORD_CONFLICTING_TARGETS",
    message: "The wanted statuses contradict the dependencies of the components.",
    problems,
  });

function alreadyActive(request: ProvisioningRequest, planId: string | null): Failure {
  const plan = planId ? ` (plan ${planId})` : "";
  const message = `An operation is active on ${request.unitId} in ${request.environment}${plan}.`;
  const solution = "Wait for its end or terminate it, then start again.";
  return new Failure({
    kind: "conflict",
    code: "COORD_OPERATION_ACTIVE",
    message,
    problems: [{ where: "deployment-unit-id", message, solution }],
    input: request.unitId,
  });
}
