import { idKey } from "../ids.ts";
import { hasOwnCall, ownerKeys } from "./descriptor/own-calls.ts";
import type { Decision } from "./base-action.ts";
import { effectiveNeeds, endsDeployed, isProvisioned } from "./effective-needs.ts";
import type { PlannedChange, Reason, TargetStatus } from "./model.ts";
import type { PlanNode, PlanGraph } from "./plan-graph.ts";

export interface Described {
  /** By node index; a node's parts follow it in `parts`. */
  changes: PlannedChange[];
  /** By node index: one entry per subcomponent. Empty for most. */
  parts: readonly (readonly PlannedChange[])[];
}

export interface Decided {
  decisions: readonly Decision[];
  /** By node index: of each of its parts. */
  partDecisions: readonly (readonly Decision[])[];
}

/** The plan's decisions in their wire shape. */
export function describe(planGraph: PlanGraph, { decisions, partDecisions }: Decided): Described {
  const additional = additionalReasons(planGraph, decisions);
  const changes = decisions.map((decision, index): PlannedChange => {
    return {
      componentId: planGraph.nodes[index]!.id,
      targetStatus: targetStatusOf(planGraph, decision, index),
      action: decision.action,
      reason: decision.reason,
      additionalReasons: [...additional[index]!],
      dependencyOf: [],
      dependantOn: [],
    };
  });
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index]!;
    for (const need of effectiveNeeds(planGraph, decisions[index]!, index)) {
      change.dependantOn.push(changes[need]!.componentId);
      changes[need]!.dependencyOf.push(change.componentId);
    }
  }
  return {
    changes,
    parts: planGraph.nodes.map((node, index) => describeParts(node, changes[index]!, partDecisions[index]!)),
  };
}

/**
 * A component that is left alone keeps its status. A corrupt one is shown as DEPLOYED: a client that sends
 * the entry back without its action then repairs it instead of removing it with its data.
 */
function targetStatusOf(planGraph: PlanGraph, { action }: Decision, index: number): TargetStatus {
  if (action === "NONE")
    return planGraph.nodes[index]!.current === "NOT_DEPLOYED" ? "NOT_DEPLOYED" : "DEPLOYED";
  return action === "UNDEPLOY" ? "NOT_DEPLOYED" : "DEPLOYED";
}

const noParts: readonly PlannedChange[] = [];

/**
 * A subcomponent without a call of its own shares that of its owner; dependencies are listed for components
 * only.
 */
function describeParts(
  node: PlanNode,
  parent: PlannedChange,
  decisions: readonly Decision[],
): readonly PlannedChange[] {
  const subcomponents = node.component?.subcomponents ?? [];
  if (subcomponents.length === 0 && node.parts.length === 0) return noParts;
  const owned = new Map<string, PlannedChange>();
  /** Of subcomponents that lost their own call and are deployed by it still. */
  const leaving = new Map<string, PlannedChange>();
  if (node.component !== undefined) owned.set(node.component.key, parent);
  const ofParts = node.parts.map((part, place): PlannedChange => {
    const change = partChange(part.id, decisions[place]!, parent);
    if (!part.isAbsorbed) owned.set(idKey(part.id), change);
    else if (change.action === "UNDEPLOY") leaving.set(idKey(part.id), change);
    return change;
  });
  const owners = node.component === undefined ? undefined : ownerKeys(node.component);
  const ofDescriptor = subcomponents.map((subcomponent): PlannedChange => {
    if (hasOwnCall(subcomponent)) return owned.get(subcomponent.key) ?? parent;
    const ownRemoval = leaving.get(subcomponent.key);
    if (ownRemoval !== undefined) return ownRemoval;
    const owner = owned.get(owners?.get(subcomponent.key) ?? "") ?? parent;
    return partChange(subcomponent.id, owner, owner);
  });
  // An absorbed part has its entry among those of the descriptor.
  const others = ofParts.filter((_, place) => node.parts[place]!.removed && !node.parts[place]!.isAbsorbed);
  return [...ofDescriptor, ...others];
}

function partChange(
  componentId: string,
  decision: Pick<PlannedChange, "action" | "reason">,
  parent: PlannedChange,
): PlannedChange {
  const { action, reason } = decision;
  const isDeployedWithParent = isProvisioned(parent) && isProvisioned(decision);
  return {
    componentId,
    targetStatus:
      action === "NONE" ? parent.targetStatus : action === "UNDEPLOY" ? "NOT_DEPLOYED" : "DEPLOYED",
    action,
    reason,
    additionalReasons: isDeployedWithParent ? ["PARENT_DEPLOYED"] : [],
    dependencyOf: [],
    dependantOn: [],
  };
}

const noReasons: readonly Reason[] = [];
const redeployedBelow: readonly Reason[] = ["DEPENDENCY_REDEPLOYED"];
const rootFirst: readonly Reason[] = ["ROOT_FIRST"];

/**
 * Step 7. Further reasons of a node besides its first: a dependency of a preserved component is redeployed,
 * or the root is deployed before the components.
 */
function additionalReasons(planGraph: PlanGraph, decisions: readonly Decision[]): (readonly Reason[])[] {
  const deploysComponents = decisions.some(
    (decision, index) => !planGraph.nodes[index]!.isRoot && isProvisioned(decision),
  );
  return decisions.map((decision, index) => {
    if (isProvisioned(decision))
      return planGraph.nodes[index]!.isRoot && deploysComponents ? rootFirst : noReasons;
    if (!endsDeployed(planGraph, decision, index)) return noReasons;
    return planGraph.oldNeeds[index]!.some((need) => isProvisioned(decisions[need]!))
      ? redeployedBelow
      : noReasons;
  });
}
