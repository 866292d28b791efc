/**
 * Rolls a unit back to an earlier operation: an ordinary start with that operation's descriptor and targets.
 */
import type { RollbackBody, ProvisioningRequest } from "./acceptance/request-schema.ts";
import type { Failure, Problem } from "../../platform/errors/failure.ts";
import { coordinatorFailure } from "../errors.ts";
import type { CoordinatorContext } from "../context.ts";
import { idKey } from "../ids.ts";
import { readUnit } from "../planning/descriptor/unit.ts";
import type { PlannedChange } from "../planning/model.ts";
import { readOperation, type EarlierOperation } from "./resume-store.ts";

export interface Rollback {
  unitId: string;
  environment: string;
  body: RollbackBody;
}

/** The start request of a rollback; it is previewed and started like any other. */
export async function rollbackRequest(
  ctx: CoordinatorContext,
  rollback: Rollback,
): Promise<ProvisioningRequest> {
  const { unitId, environment, body } = rollback;
  const { operationId, executionPlanId, ...options } = body;
  const id = operationId ?? executionPlanId;
  const isBoth =
    operationId !== undefined && executionPlanId !== undefined && operationId !== executionPlanId;
  if (id === undefined || isBoth) {
    throw unfit(
      [problem("/operationId", "Name one operation, by its operationId or its executionPlanId.")],
      id,
    );
  }
  const where = operationId === undefined ? "/executionPlanId" : "/operationId";
  const earlier = await readOperation(ctx.coordinator.database.db, id);
  if (!earlier) throw unknownOperation(id, where);
  const problems = unfitFor(earlier, rollback).map((message) => problem(where, message));
  if (problems.length > 0) throw unfit(problems, id);
  const descriptor = earlier.request.descriptor ?? {};
  const targetStatus = targetsOf(earlier);
  return { unitId, environment, mode: "strict", body: { ...options, descriptor, targetStatus } };
}

function unfitFor({ unitKey, environment, status, id }: EarlierOperation, wanted: Rollback): string[] {
  const found: string[] = [];
  if (unitKey !== idKey(wanted.unitId)) found.push(`The operation ${id} was on another unit.`);
  if (environment !== wanted.environment) found.push(`The operation ${id} was in ${environment}.`);
  if (status !== "SUCCEEDED")
    found.push(`The operation ${id} is ${status}; only one that SUCCEEDED is a state.`);
  return found;
}

/**
 * The status that each component of that descriptor had when the operation had ended; the root too, where it
 * has one.
 */
function targetsOf({ request }: EarlierOperation): ProvisioningRequest["body"]["targetStatus"] {
  const { unit } = readUnit(request.descriptor ?? {});
  const keys = new Set(unit?.components.map(({ key }) => key));
  if (unit?.infrastructureTemplateId !== undefined) keys.add(unit.key);
  const changes = request.operations as PlannedChange[];
  return changes
    .filter(({ componentId }) => keys.has(idKey(componentId)))
    .map(({ componentId, targetStatus }) => ({ componentId, targetStatus }));
}

const problem = (where: string, message: string): Problem => ({
  where,
  message,
  solution: "List the unit's operations and name one that SUCCEEDED in this environment.",
});

const unfit = (problems: Problem[], id: string | undefined): Failure =>
  coordinatorFailure("COORD_OPERATION_UNFIT", {
    message: "The unit can't be brought back to that operation.",
    problems,
    input: id,
  });

function unknownOperation(id: string, where: string): Failure {
  const message = `There is no operation ${id}.`;
  return coordinatorFailure("COORD_OPERATION_NOT_FOUND", {
    message,
    problems: [problem(where, message)],
    input: id,
  });
}
