/** Compares a unit between two environments. */
import { coordinatorFailure } from "../errors.ts";
import type { CoordinatorContext } from "../context.ts";
import { idKey } from "../ids.ts";
import { environmentProblems } from "../environments.ts";
import { bareDescriptor, compareFields, type ChangedFields } from "./compare.ts";
import type { ComponentDiff, UnitDiff } from "./deployed-schema.ts";
import { readComponentPairs, type ComponentPair } from "./deployed-store.ts";

export interface DiffRequest {
  unitId: string;
  environment: string;
  otherEnvironment: string;
}

/** Maximum number of changed fields of one component, and of the unit. */
const maxFields = { component: 200, unit: 5_000 };

export async function getUnitDiff(ctx: CoordinatorContext, request: DiffRequest): Promise<UnitDiff> {
  const { unitId, environment, otherEnvironment } = request;
  refuseEnvironments(ctx, request);
  const pairs = await readComponentPairs(ctx.coordinator.database.db, {
    unitKey: idKey(unitId),
    environment,
    otherEnvironment,
  });
  let left = maxFields.unit;
  const components = pairs.map((pair) => {
    const diff = componentDiff(pair, Math.min(left, maxFields.component));
    left -= diff.changedFields.length;
    return diff;
  });
  const identical = components.every(({ result }) => result === "IDENTICAL");
  return { deploymentUnitId: unitId, environment, otherEnvironment, identical, components };
}

function componentDiff(pair: ComponentPair, max: number): ComponentDiff {
  const { environment, otherEnvironment } = pair;
  const status = {
    environment: environment?.status ?? "NOT_DEPLOYED",
    otherEnvironment: otherEnvironment?.status ?? "NOT_DEPLOYED",
  } as const;
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

function refuseEnvironments(ctx: CoordinatorContext, { environment, otherEnvironment }: DiffRequest): void {
  const problems = [
    ...environmentProblems(ctx, environment),
    ...environmentProblems(ctx, otherEnvironment, "other-environment"),
  ];
  const isSame = environment === otherEnvironment;
  if (problems.length === 0 && !isSame) return;
  const message = isSame
    ? "A unit is compared between two environments."
    : "An environment is not configured.";
  if (isSame) problems.push({ where: "other-environment", message, solution: "Name another environment." });
  throw coordinatorFailure(isSame ? "COORD_SAME_ENVIRONMENT" : "COORD_UNKNOWN_ENVIRONMENT", {
    message,
    problems,
    input: otherEnvironment,
  });
}
