import type { Decision } from "./base-action.ts";
import { effectiveNeeds, endsDeployed } from "./effective-needs.ts";
import type { PlannedChange, Reason, TargetStatus } from "./model.ts";
import type { Universe } from "./universe.ts";

export interface Described {
  /** By node index; a node's parts follow it in `parts`. */
  changes: PlannedChange[];
  /** By node index: one entry per subcomponent. Empty for most. */
  parts: readonly (readonly PlannedChange[])[];
}

/** The plan's decisions in the words of the interface. */
export function describe(
  universe: Universe,
  decisions: readonly Decision[],
  additional: readonly (readonly Reason[])[],
): Described {
  const changes = decisions.map((decision, index): PlannedChange => {
    return {
      componentId: universe.nodes[index]!.id,
      targetStatus: targetStatusOf(universe, decision, index),
      action: decision.action,
      reason: decision.reason,
      additionalReasons: [...additional[index]!],
      dependencyOf: [],
      dependantOn: [],
    };
  });
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index]!;
    for (const need of effectiveNeeds(universe, decisions[index]!, index)) {
      change.dependantOn.push(changes[need]!.componentId);
      changes[need]!.dependencyOf.push(change.componentId);
    }
  }
  return {
    changes,
    parts: universe.nodes.map((_, index) => describeParts(universe, changes[index]!, index)),
  };
}

/**
 * What is left alone keeps its status. A corrupt component that is left alone says DEPLOYED: a client that
 * sends the entry back without its action then has it repaired and not, with its data, removed.
 */
function targetStatusOf(universe: Universe, decision: Decision, index: number): TargetStatus {
  if (decision.action === "NONE" && universe.nodes[index]!.current === "CORRUPT") return "DEPLOYED";
  return endsDeployed(universe, decision, index) ? "DEPLOYED" : "NOT_DEPLOYED";
}

const noParts: readonly PlannedChange[] = [];

/** A subcomponent shares its parent's task; dependencies are told of the parent only. */
function describeParts(universe: Universe, parent: PlannedChange, index: number): readonly PlannedChange[] {
  const subcomponents = universe.nodes[index]!.component?.subcomponents ?? [];
  if (subcomponents.length === 0) return noParts;
  const isDeployed = parent.action === "DEPLOY" || parent.action === "REDEPLOY";
  return subcomponents.map((subcomponent) => ({
    componentId: subcomponent.id,
    targetStatus: parent.targetStatus,
    action: parent.action,
    reason: parent.reason,
    additionalReasons: isDeployed ? ["PARENT_DEPLOYED"] : [],
    dependencyOf: [],
    dependantOn: [],
  }));
}
