/**
 * Validation of a descriptor: at once everything that the coordinator itself can say of it, or as a plan that also asks
 * the adapter of each component. Neither changes the state of a unit.
 */
import type { Db } from "../../platform/db/database.ts";
import { Failure, type Problem } from "../../platform/errors/failure.ts";
import type { CoordinatorContext } from "../context.ts";
import { guardiansOf } from "../deployment-units/new-plan.ts";
import { loadEnabledAdapters, type EnabledAdapter } from "../deployment-units/store.ts";
import { asConfigured, type Unit } from "../descriptor/unit.ts";
import { parseUnitYaml } from "../descriptor/yaml.ts";
import { acceptedNow } from "../execution/tasks/accept.ts";
import { insertPlanRows } from "../execution/record/new-plan-store.ts";
import { planQueue } from "../execution/queue.ts";
import { checkUnit } from "../planning/plan.ts";
import type { ValidateBody, ValidationResult, ValidationStatusResponse } from "./schema.ts";
import { readValidation } from "./store.ts";
import { validationTasks } from "./tasks.ts";
import { internalResult, validationStatus, type ValidationRequest } from "./view.ts";

export async function validateDescriptor(
  ctx: CoordinatorContext,
  body: ValidateBody,
): Promise<ValidationResult> {
  const { problems, warnings } = await examine(ctx, ctx.coordinator.database.kysely, body);
  return { results: [internalResult(body.descriptor, problems, warnings)] };
}

/** Returns the token of the validation, which is an execution plan. */
export async function startValidation(ctx: CoordinatorContext, tx: Db, body: ValidateBody): Promise<string> {
  const { unit, problems, warnings, adapters } = await examine(ctx, tx, body);
  const isSound = unit !== undefined && problems.length === 0;
  const plan = acceptedNow(ctx, isSound ? (unit.environment ?? "") : "");
  const request: ValidationRequest = {
    descriptor: isSound ? unit.descriptor : null,
    operations: [],
    removeData: body.removeData,
    enrichment: {},
    guardians: isSound ? guardiansOf(unit.components, adapters) : {},
    validation: { text: body.descriptor, problems: problems.slice(0, mostProblems), warnings },
  };
  await insertPlanRows(
    tx,
    {
      ...plan,
      kind: "VALIDATION",
      unitKey: isSound ? unit.key : null,
      unitId: isSound ? unit.id : null,
      action: "VALIDATE_COMPONENT",
      request,
      descriptorVersion: isSound ? unit.version : "",
      ...(isSound ? {} : { failure: "The descriptor itself is not valid." }),
    },
    { tasks: isSound ? validationTasks(plan.id, unit, adapters) : [] },
  );
  if (isSound) await ctx.coordinator.jobs.send(tx, planQueue, { planId: plan.id });
  return plan.id;
}

export async function getValidationStatus(
  ctx: CoordinatorContext,
  token: string,
): Promise<ValidationStatusResponse> {
  const validation = await readValidation(ctx.coordinator.database.kysely, token);
  if (validation) return validationStatus(validation);
  const message = `There is no validation with the token ${token}.`;
  const solution = "Use the token that the start of the validation answered.";
  throw new Failure({
    kind: "not_found",
    code: "COORD_PLAN_NOT_FOUND",
    message,
    problems: [{ where: "token", message, solution }],
    input: token,
  });
}

/** Kept of one validation. */
const mostProblems = 1_000;

interface Examined {
  unit: Unit | undefined;
  problems: Problem[];
  warnings: Problem[];
  adapters: Map<string, EnabledAdapter>;
}

async function examine(ctx: CoordinatorContext, db: Db, { descriptor }: ValidateBody): Promise<Examined> {
  const { unit: read, problems, warnings } = parseUnitYaml(descriptor);
  if (!read) return { unit: read, problems: [...problems], warnings, adapters: new Map() };
  const { settings } = ctx.coordinator;
  const unit = asConfigured(read, settings);
  const adapters = await loadEnabledAdapters(db, unit.environment ?? "");
  const found = checkUnit(unit, {
    // Only the descriptor names one here, so what is wrong with it is said of the descriptor.
    environment: undefined,
    environments: settings.environments,
    hasAdapter: (template) => unit.environment === undefined || adapters.has(template),
    unitIdPattern: settings.unitIdPattern,
  });
  return { unit, problems: [...problems, ...found], warnings, adapters };
}
