/**
 * Validates a descriptor: a plan of its own calls the adapter of each component. A caller gets its token, or
 * waits for its end. No unit changes.
 */
import type { ValidateBody, ValidationResult, ValidationStatusResponse } from "./schema.ts";
import { validationTasks } from "./tasks.ts";
import { readValidation } from "./store.ts";
import { planQueue } from "../../execution/types.ts";
import { loadEnabledAdapters, type EnabledAdapter } from "../../adapters/store.ts";
import { guardiansOf } from "./adapter-properties.ts";
import { inTransaction, type Db } from "../../../platform/db/database.ts";
import type { Failure, Problem } from "../../../platform/errors/failure.ts";
import { coordinatorFailure } from "../../errors.ts";
import type { CoordinatorContext } from "../../context.ts";
import { calledComponents } from "../../planning/descriptor/own-calls.ts";
import { asConfigured, type Unit } from "../../planning/descriptor/unit.ts";
import { parseUnitYaml } from "../../planning/descriptor/yaml.ts";
import { readPolicies, type AppliedPolicies } from "../policies/applied.ts";
import { acceptedNow } from "./accepted-plan.ts";
import { insertPlanRows } from "../../execution/new-plan-store.ts";
import { endsPlanStream, planStream } from "../../execution/plan-events.ts";
import { checkUnit } from "../../planning/plan.ts";
import {
  answeredWithin,
  internalResult,
  validationStatus,
  type ValidationRequest,
} from "./validation-view.ts";

/** Waits for the adapters for at most `validationTimeoutMs`, and returns the results so far. */
export async function validateDescriptor(
  ctx: CoordinatorContext,
  body: ValidateBody,
): Promise<ValidationResult> {
  const { database, settings } = ctx.coordinator;
  const examined = await examine(ctx, database.db, body);
  if (!isSound(examined)) {
    return { results: [internalResult(body.descriptor, examined.problems, examined.warnings)] };
  }
  const startedAt = ctx.now().getTime();
  const { hasPolicies } = await appliedTo(ctx, examined);
  const token = await inTransaction(database, (tx) =>
    insertValidation(ctx, tx, { body, examined, hasPolicies }),
  );
  await untilEnded(ctx, token, settings.validationTimeoutMs);
  const validation = await readValidation(database.db, token);
  if (!validation) throw unknownValidation(token);
  return answeredWithin(ctx.now().getTime() - startedAt, token, validation);
}

/** Follows the events of the plan until its end, the timeout, or the end of the request. */
async function untilEnded(ctx: CoordinatorContext, token: string, timeoutMs: number): Promise<void> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const timer = setTimeout(end, timeoutMs);
  ctx.signal.addEventListener("abort", end, { once: true });
  if (ctx.signal.aborted) end();
  try {
    const follow = { after: 0, signal: stop.signal, isLast: endsPlanStream };
    const events = ctx.coordinator.hub.tail(planStream(token), follow);
    for (let isOver = false; !isOver;) isOver = (await events.next()).done === true;
  } finally {
    clearTimeout(timer);
    ctx.signal.removeEventListener("abort", end);
  }
}

/** Returns the token of the validation, which is an execution plan. */
export async function startValidation(ctx: CoordinatorContext, tx: Db, body: ValidateBody): Promise<string> {
  const examined = await examine(ctx, tx, body);
  const { hasPolicies } = await appliedTo(ctx, examined);
  return insertValidation(ctx, tx, { body, examined, hasPolicies });
}

const appliedTo = (ctx: CoordinatorContext, { unit }: Examined): Promise<AppliedPolicies> =>
  readPolicies(ctx, ctx.coordinator, { environment: unit?.environment ?? "", isCompared: false });

async function insertValidation(
  ctx: CoordinatorContext,
  tx: Db,
  { body, examined, hasPolicies }: { body: ValidateBody; examined: Examined; hasPolicies: boolean },
): Promise<string> {
  const { problems, warnings, adapters } = examined;
  const unit = isSound(examined) ? examined.unit : undefined;
  const plan = acceptedNow(ctx, unit?.environment ?? "");
  const request: ValidationRequest = {
    descriptor: unit?.descriptor ?? null,
    operations: [],
    removeData: body.removeData,
    enrichment: {},
    guardians: unit ? guardiansOf(calledComponents(unit.components), adapters) : {},
    validation: { text: body.descriptor, problems: problems.slice(0, maxProblems), warnings },
  };
  await insertPlanRows(
    tx,
    {
      ...plan,
      kind: "VALIDATION",
      unitKey: unit?.key ?? null,
      unitId: unit?.id ?? null,
      action: "VALIDATE_COMPONENT",
      request,
      descriptorVersion: unit?.version ?? "",
      ...(unit ? {} : { failure: "The descriptor itself is not valid." }),
    },
    { tasks: unit ? validationTasks(plan.id, unit, { adapters, hasPolicies }) : [] },
  );
  if (unit) await ctx.coordinator.jobs.send(tx, planQueue, { planId: plan.id });
  return plan.id;
}

export async function getValidationStatus(
  ctx: CoordinatorContext,
  token: string,
): Promise<ValidationStatusResponse> {
  const validation = await readValidation(ctx.coordinator.database.db, token);
  if (validation) return validationStatus(validation);
  throw unknownValidation(token);
}

function unknownValidation(token: string): Failure {
  const message = `There is no validation with the token ${token}.`;
  const solution = "Use the token that the start of the validation answered.";
  return coordinatorFailure("COORD_PLAN_NOT_FOUND", { message, where: "token", solution, input: token });
}

/** Stored problems of one validation. */
const maxProblems = 1_000;

interface Examined {
  unit: Unit | undefined;
  problems: Problem[];
  warnings: Problem[];
  adapters: Map<string, EnabledAdapter>;
}

const isSound = (examined: Examined): examined is Examined & { unit: Unit } =>
  examined.unit !== undefined && examined.problems.length === 0;

async function examine(ctx: CoordinatorContext, db: Db, { descriptor }: ValidateBody): Promise<Examined> {
  const { unit: read, problems, warnings } = parseUnitYaml(descriptor);
  if (!read) return { unit: read, problems: [...problems], warnings, adapters: new Map() };
  const { settings } = ctx.coordinator;
  const unit = asConfigured(read, settings);
  const adapters = await loadEnabledAdapters(db, unit.environment ?? "");
  const found = checkUnit(unit, {
    // Only the descriptor names the environment here, so problems refer to the descriptor.
    environment: undefined,
    environments: settings.environments,
    hasAdapter: (template) => unit.environment === undefined || adapters.has(template),
    unitIdPattern: settings.unitIdPattern,
  });
  return { unit, problems: [...problems, ...found], warnings, adapters };
}
