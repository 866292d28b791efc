/** Compares a unit between two environments, or with what plans were to deploy. */
import type { Db } from "../../platform/db/database.ts";
import { coordinatorFailure, unknownPlan } from "../errors.ts";
import type { CoordinatorContext } from "../context.ts";
import { idKey } from "../ids.ts";
import { environmentProblems } from "../environments.ts";
import { bareDescriptor, compareFields, type ChangedFields } from "./compare.ts";
import type { ComponentDiff, UnitDiff } from "./deployed-schema.ts";
import {
  readComponentPairs,
  readPlanPair,
  readStoredDescriptors,
  type DiffQuery,
  type StoredDescriptor,
} from "./deployed-store.ts";
import { pairsOfDescriptors, type ComponentPair } from "./descriptor-pairs.ts";

export interface DiffRequest {
  unitId: string;
  environment: string;
  otherEnvironment: string | undefined;
  /** The plans whose stored descriptors are compared; undefined for what is deployed. */
  plan: string | undefined;
  otherPlan: string | undefined;
}

/** Maximum number of changed fields of one component, and of the unit. */
const maxFields = { component: 200, unit: 5_000 };

export async function getUnitDiff(ctx: CoordinatorContext, request: DiffRequest): Promise<UnitDiff> {
  const { unitId, environment, plan, otherPlan } = request;
  const otherEnvironment = request.otherEnvironment ?? environment;
  const hasPlan = plan !== undefined || otherPlan !== undefined;
  refuseEnvironments(ctx, { environment, otherEnvironment, hasPlan });
  const asked = { unitKey: idKey(unitId), environment, otherEnvironment };
  const { db } = ctx.coordinator.database;
  const pairs = hasPlan
    ? await pairsOfPlans(db, { ...asked, plan, otherPlan })
    : await readComponentPairs(db, asked);
  return {
    deploymentUnitId: unitId,
    environment,
    otherEnvironment,
    ...(hasPlan ? { executionPlanId: plan ?? null, otherExecutionPlanId: otherPlan ?? null } : {}),
    ...compareComponents(pairs),
  };
}

/** What differs between the components of two sides. */
export function compareComponents(
  pairs: readonly ComponentPair[],
): Pick<UnitDiff, "identical" | "components"> {
  let left = maxFields.unit;
  const components = pairs.map((pair) => {
    const diff = componentDiff(pair, Math.min(left, maxFields.component));
    left -= diff.changedFields.length;
    return diff;
  });
  return { identical: components.every(({ result }) => result === "IDENTICAL"), components };
}

/** What a plan is to change of what is deployed; null for a plan that has no unit or is not known. */
export async function readPlanDiff(
  db: Db,
  planId: string,
): Promise<ReturnType<typeof compareComponents> | null> {
  const pair = await readPlanPair(db, planId);
  return pair && compareComponents(pairsOfDescriptors(pair.deployed, pair.planned));
}

interface PlanDiffQuery extends DiffQuery {
  plan: string | undefined;
  otherPlan: string | undefined;
}

/** Stored descriptors by component, the unit's own fields first. */
async function pairsOfPlans(db: Db, query: PlanDiffQuery): Promise<ComponentPair[]> {
  const { unitKey, environment, otherEnvironment, plan, otherPlan } = query;
  const [one, other] = await readStoredDescriptors(db, unitKey, [
    { environment, plan },
    { environment: otherEnvironment, plan: otherPlan },
  ]);
  refuseOtherPlan(one, { plan, unitKey, environment, where: "plan" });
  refuseOtherPlan(other, {
    plan: otherPlan,
    unitKey,
    environment: otherEnvironment,
    where: "other-plan",
  });
  return pairsOfDescriptors(one?.descriptor ?? null, other?.descriptor ?? null);
}

interface AskedPlan {
  plan: string | undefined;
  unitKey: string;
  environment: string;
  where: string;
}

function refuseOtherPlan(
  found: StoredDescriptor | undefined,
  { plan, unitKey, environment, where }: AskedPlan,
): void {
  if (plan === undefined) return;
  if (!found || found.environment === null) throw unknownPlan(plan, where);
  if (found.unitKey === unitKey && found.environment === environment && found.descriptor !== null) return;
  throw coordinatorFailure("COORD_PLAN_UNFIT", {
    message: `The plan ${plan} stored no descriptor of this unit in ${environment}.`,
    where,
    input: plan,
  });
}

function componentDiff(pair: ComponentPair, max: number): ComponentDiff {
  const { environment, otherEnvironment } = pair;
  const isStored = (environment ?? otherEnvironment)?.status === null;
  const absent = isStored ? null : ("NOT_DEPLOYED" as const);
  const status = {
    environment: environment ? environment.status : absent,
    otherEnvironment: otherEnvironment ? otherEnvironment.status : absent,
  };
  const descriptorVersion = {
    environment: environment?.descriptorVersion ?? "",
    otherEnvironment: otherEnvironment?.descriptorVersion ?? "",
  };
  const { fields: changedFields, hasMore } = changesOf(pair, max);
  const differences: ComponentDiff["differences"] = [];
  if (status.environment !== status.otherEnvironment) differences.push("STATUS");
  if (environment && otherEnvironment) {
    if (descriptorVersion.environment !== descriptorVersion.otherEnvironment) {
      differences.push("DESCRIPTOR_VERSION");
    }
    if (changedFields.length > 0 || hasMore) differences.push("FIELDS");
  }
  return {
    componentId: pair.id,
    result: resultOf(pair, differences.length),
    differences,
    status,
    descriptorVersion,
    changedFields,
    hasMoreChangedFields: hasMore,
  };
}

function resultOf(
  { environment, otherEnvironment }: ComponentPair,
  differences: number,
): ComponentDiff["result"] {
  if (!otherEnvironment) return "ONLY_IN_ENVIRONMENT";
  if (!environment) return "ONLY_IN_OTHER_ENVIRONMENT";
  return differences === 0 ? "IDENTICAL" : "DIFFERENT";
}

/** Ignores what adapters returned, and the environment that the unit's descriptor names. */
function changesOf({ isRoot, environment, otherEnvironment }: ComponentPair, max: number): ChangedFields {
  const [one, other] = [environment?.descriptor, otherEnvironment?.descriptor].map((descriptor) => {
    if (!descriptor) return undefined;
    const { environment: named, ...bare } = bareDescriptor(descriptor);
    return isRoot || named === undefined ? bare : { ...bare, environment: named };
  });
  return one && other ? compareFields(one, other, max) : { fields: [], hasMore: false };
}

interface AskedEnvironments {
  environment: string;
  otherEnvironment: string;
  hasPlan: boolean;
}

function refuseEnvironments(
  ctx: CoordinatorContext,
  { environment, otherEnvironment, hasPlan }: AskedEnvironments,
): void {
  const problems = [
    ...environmentProblems(ctx, environment),
    ...environmentProblems(ctx, otherEnvironment, "other-environment"),
  ];
  const isSame = environment === otherEnvironment && !hasPlan;
  if (problems.length === 0 && !isSame) return;
  const message = isSame
    ? "A unit is compared between two environments, or with what a plan was to deploy."
    : "An environment is not configured.";
  const solution = "Name another environment, or a plan.";
  if (isSame) problems.push({ where: "other-environment", message, solution });
  throw coordinatorFailure(isSame ? "COORD_SAME_ENVIRONMENT" : "COORD_UNKNOWN_ENVIRONMENT", {
    message,
    problems,
    input: otherEnvironment,
  });
}
