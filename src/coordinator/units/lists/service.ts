/** A unit in all environments, and the facets of the list of units. */
import type { CoordinatorContext } from "../../context.ts";
import { requireEnvironments } from "../../environments.ts";
import { idKey } from "../../ids.ts";
import { filtersOf } from "./list.ts";
import { componentsStatus, failureOf, statusOf } from "../status.ts";
import { readUnitEverywhere, type UnitView } from "../store.ts";
import type { UnitEnvironments, UnitFacetsRequest } from "./schema.ts";
import { readFacets, readUnitFacts, type UnitFacts } from "./store.ts";

type InEnvironment = UnitEnvironments["environments"][number];
type OfComponent = UnitEnvironments["components"][number]["environments"][number];

/** An unknown unit is NOT_DEPLOYED everywhere. */
export async function getUnitEnvironments(
  ctx: CoordinatorContext,
  unitId: string,
): Promise<UnitEnvironments> {
  const { database, settings } = ctx.coordinator;
  const unitKey = idKey(unitId);
  const [views, facts] = await Promise.all([
    readUnitEverywhere(database.pool, unitKey),
    readUnitFacts(database.db, unitKey),
  ]);
  const viewOf = new Map(views.map((view) => [view.environment, view]));
  const factsOf = new Map(facts.map((each) => [each.environment, each]));
  const { rootProvisioning } = settings;
  const components = new Map<string, UnitEnvironments["components"][number]>();
  const environments = settings.environments.map((environment) => {
    const unit = viewOf.get(environment);
    const fact = factsOf.get(environment);
    if (!unit || !fact) return neverStarted(environment);
    for (const row of componentsIn({ environment, unit, unitKey, fact })) {
      const { componentId, ...entry } = row;
      const key = idKey(componentId);
      const known = components.get(key);
      if (known) known.environments.push(entry);
      else components.set(key, { componentId, environments: [entry] });
    }
    return unitIn({ environment, unit, unitKey, fact, rootProvisioning });
  });
  // Of several environments the one with the highest priority names the unit.
  const first = settings.environments.flatMap((name) => factsOf.get(name) ?? [])[0];
  return {
    deploymentUnitId: views[0]?.unitId ?? unitId,
    name: first?.name ?? null,
    kind: first?.kind ?? null,
    owner: first?.owner ?? null,
    domain: first?.domain ?? null,
    environments,
    components: [...components.values()],
  };
}

interface Known {
  environment: string;
  unit: UnitView;
  unitKey: string;
  fact: UnitFacts;
}

function unitIn({
  environment,
  unit,
  unitKey,
  fact,
  rootProvisioning,
}: Known & { rootProvisioning: boolean }): InEnvironment {
  const { active, drift } = fact;
  const status = statusOf(unit, unitKey, { isActive: unit.activePlanId !== null, rootProvisioning });
  return {
    environment,
    known: true,
    status,
    descriptorVersion: unit.descriptorVersion ?? "",
    since: active?.startTime ?? fact.updatedAt.toISOString(),
    executionPlanId: fact.lastPlanId,
    executionPlanStatus: fact.lastPlanStatus,
    active,
    queuedOperations: fact.queued,
    drift: drift && {
      driftCheckId: drift.driftCheckId,
      result: drift.result,
      checkedAt: drift.checkedAt,
      isOutdated: fact.updatedAt.toISOString() > drift.checkedAt,
    },
    failure: status === "CORRUPT" ? failureOf(unit) : null,
  };
}

function componentsIn({
  environment,
  unit,
  unitKey,
  fact,
}: Known): (OfComponent & { componentId: string })[] {
  const changes = new Map(fact.components.map((each) => [idKey(each.id), each]));
  const drifts = new Map(
    (fact.drift?.components ?? []).map(({ componentId, result }) => [idKey(componentId), result]),
  );
  return componentsStatus(unit, unitKey).map(({ componentId, status, descriptorVersion, failure }) => {
    const changed = changes.get(idKey(componentId));
    return {
      componentId,
      environment,
      status,
      descriptorVersion,
      since: changed?.since ?? null,
      executionPlanId: changed?.planId ?? null,
      drift: drifts.get(idKey(componentId)) ?? null,
      failure: failure ?? null,
    };
  });
}

const neverStarted = (environment: string): InEnvironment => ({
  environment,
  known: false,
  status: "NOT_DEPLOYED",
  descriptorVersion: "",
  since: null,
  executionPlanId: null,
  executionPlanStatus: null,
  active: null,
  queuedOperations: 0,
  drift: null,
  failure: null,
});

/** As JSON text. */
export async function getUnitFacets(ctx: CoordinatorContext, request: UnitFacetsRequest): Promise<string> {
  requireEnvironments(ctx, request.environment);
  const { database, settings } = ctx.coordinator;
  const hasRoots = settings.rootProvisioning;
  return readFacets(database.db, { ...filtersOf(request), limit: request.limit, hasRoots });
}
