/**
 * The deprecated starts and status. A start gives every component the same target, then calls
 * startProvisioning.
 */
import type { DescriptorWrapper } from "./acceptance/request-schema.ts";
import type { Failure } from "../../platform/errors/failure.ts";
import type { CoordinatorContext } from "../context.ts";
import { startProvisioning } from "./service.ts";
import { asConfigured, type Unit } from "../planning/descriptor/unit.ts";
import { parseUnitYaml } from "../planning/descriptor/yaml.ts";
import { coordinatorFailure, invalidDescriptor } from "../errors.ts";
import type { TargetStatus } from "../planning/model.ts";
import { checkUnit } from "../planning/plan.ts";
import { isKnownUnit, readLegacyStatus } from "./legacy-store.ts";

export interface LegacyStart {
  body: DescriptorWrapper;
  /** For all components. */
  target: TargetStatus;
  /** Name of the operation: recorded in the audit, and the scope of the caller's idempotency keys. */
  operation: string;
  idempotencyKey: string | undefined;
}

/** Starts the unit in the environment that its descriptor names. Returns the token. */
export async function startLegacy(ctx: CoordinatorContext, start: LegacyStart): Promise<string> {
  const { body, target, operation, idempotencyKey } = start;
  const { unit: read, environment } = readWrapped(ctx, body.descriptor);
  const unit = asConfigured(read, ctx.coordinator.settings);
  const at = { unitKey: unit.key, environment };
  if (target === "NOT_DEPLOYED" && !(await isKnownUnit(ctx.coordinator.database.db, at))) {
    throw unknownUnit(unit.id, environment);
  }
  const ids = unit.components.map(({ id }) => id);
  if (unit.infrastructureTemplateId !== undefined) ids.unshift(unit.id);
  const targetStatus = ids.map((componentId) => ({ componentId, targetStatus: target }));
  const { removeData } = body;
  return startProvisioning(
    ctx,
    {
      unitId: unit.id,
      environment,
      mode: "strict",
      body: { descriptor: unit.descriptor, targetStatus, removeData, preventRedeploy: false },
    },
    { operation, idempotencyKey },
  );
}

/** Reads the unit and its environment; the start reports the other problems of the unit. */
function readWrapped(ctx: CoordinatorContext, text: string): { unit: Unit; environment: string } {
  const { unit, problems } = parseUnitYaml(text);
  const { environments, unitIdPattern } = ctx.coordinator.settings;
  const environment = unit?.environment;
  if (unit && environment !== undefined && environments.includes(environment)) return { unit, environment };
  const configured = { environment: undefined, environments, hasAdapter: () => true, unitIdPattern };
  throw invalidDescriptor([...problems, ...(unit ? checkUnit(unit, configured) : [])]);
}

/** The status as JSON text. */
export async function getLegacyStatus(ctx: CoordinatorContext, token: string): Promise<string> {
  const status = await readLegacyStatus(ctx.coordinator.database.db, token);
  if (status === null) throw unknownToken(token);
  return status;
}

function unknownUnit(unitId: string, environment: string): Failure {
  const message = `Nothing was ever started for ${unitId} in ${environment}.`;
  const solution = "Check the id and the environment of the descriptor; there is nothing to unprovision.";
  return coordinatorFailure("COORD_UNKNOWN_UNIT", {
    message,
    where: "/descriptor/id",
    solution,
    input: unitId,
  });
}

function unknownToken(token: string): Failure {
  const message = `There is no execution plan with the token ${token}.`;
  const solution = "Use the token that the start operation answered.";
  return coordinatorFailure("COORD_UNKNOWN_TOKEN", { message, where: "token", solution, input: token });
}
