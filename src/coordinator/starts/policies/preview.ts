/** What the policies would say of a plan that is previewed. */
import type { CoordinatorContext } from "../../context.ts";
import { readDeployed } from "../../execution/policies/store.ts";
import { findingsOf, storedVerdict, unavailable, type Findings } from "../../execution/policies/verdict.ts";
import { idKey } from "../../ids.ts";
import { calledComponents } from "../../planning/descriptor/own-calls.ts";
import type { Unit } from "../../planning/descriptor/unit.ts";
import type { PlannedChange } from "../../planning/model.ts";
import type { PolicyVerdict } from "../../ports.ts";
import { policiesUnavailable } from "./applied.ts";
import { policyErrors, type PolicyPhase } from "./schema.ts";

interface PreviewedPlan {
  unit: Unit;
  operations: readonly PlannedChange[];
  environment: string;
}

/**
 * One phase for the unit, and one for each component to be deployed that the policies find something wrong
 * with; undefined where nothing is deployed. Like a plan it fails while governance is unavailable, unless the
 * operator has said otherwise.
 */
export async function previewPolicies(
  ctx: CoordinatorContext,
  { unit, operations, environment }: PreviewedPlan,
): Promise<PolicyPhase[] | undefined> {
  const deployed = new Set(
    operations
      .filter(({ action }) => action === "DEPLOY" || action === "REDEPLOY")
      .map(({ componentId }) => idKey(componentId)),
  );
  if (deployed.size === 0) return undefined;
  const components = calledComponents(unit.components).filter(({ key }) => deployed.has(key));
  const verdict = await evaluate(ctx, { unit, environment, componentIds: components.map(({ id }) => id) });
  if (verdict === null)
    return [phaseOf(unit.id, unavailable("The policies can't be evaluated at the moment.", true))];
  const stored = storedVerdict(verdict);
  const keys = new Set(components.map(({ key }) => key));
  const ofComponents = components.map(({ id, key }) => ({
    id,
    found: findingsOf(stored, (own) => own === key),
  }));
  return [
    phaseOf(
      unit.id,
      findingsOf(stored, (key) => !keys.has(key)),
    ),
    ...ofComponents
      .filter(({ found }) => found.problems.length + found.warnings.length > 0)
      .map(({ id, found }) => phaseOf(id, found)),
  ];
}

/** Null when governance is unavailable and plans go on all the same. */
async function evaluate(
  ctx: CoordinatorContext,
  { unit, environment, componentIds }: { unit: Unit; environment: string; componentIds: string[] },
): Promise<PolicyVerdict | null> {
  const { policies, database, settings } = ctx.coordinator;
  const previous = await readDeployed(database.db, { unitKey: unit.key, environment });
  const withinMs = settings.callTimeoutMs;
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(withinMs)]);
  const { id: unitId, descriptor } = unit;
  const scope = "preview";
  const request = { unitId, environment, descriptor, previous, componentIds, scope, withinMs } as const;
  try {
    return (await policies?.evaluate({ ...ctx, signal }, request)) ?? null;
  } catch (error) {
    const { message: reason } = error as Error;
    ctx.log.warn({ environment, reason }, "the policies of a preview could not be evaluated");
    if (settings.policiesOnUnavailable === "block") throw policiesUnavailable();
    return null;
  }
}

const phaseOf = (componentId: string, found: Findings): PolicyPhase => ({
  validationPhaseKind: "POLICY_COMPONENT_VALIDATION_PHASE",
  componentId,
  errors: policyErrors(found, "/descriptor"),
  status: found.problems.length > 0 ? "FAILED" : "COMPLETED",
});
