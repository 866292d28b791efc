import { reversed } from "../../platform/lib/graph.ts";
import type { Decision } from "./base-action.ts";
import { effectiveNeeds, endsComplete, endsDeployed } from "./effective-needs.ts";
import type { PlanMode } from "./model.ts";
import type { Target } from "./targets.ts";
import { isChanged } from "./plan-graph.ts";
import type { PlanGraph } from "./plan-graph.ts";

/** `node` would end deployed over `needs`, which would not. */
export interface Conflict {
  node: number;
  needs: number;
}

export interface Settled {
  decisions: Decision[];
  conflicts: Conflict[];
}

/**
 * Step 6. Every node that ends deployed needs its dependencies to end deployed. Nodes without a target may be
 * moved: first dependants of undeployed nodes are undeployed, then needed nodes are deployed. Each node moves
 * at most once, so the result does not depend on the order of visits; remaining violations are conflicts.
 * Outside autofill only a root without a target may be moved.
 */
export function settle(
  planGraph: PlanGraph,
  { base, targets, mode }: { base: readonly Decision[]; targets: readonly Target[]; mode: PlanMode },
): Settled {
  const draft: Draft = {
    planGraph,
    decisions: [...base],
    ends: base.map((decision, index) => endsDeployed(planGraph, decision, index)),
    carries: base.map((decision, index) => endsComplete(planGraph, decision, index)),
    open: targets.map(({ open }, index) => open && (mode === "autofill" || planGraph.nodes[index]!.isRoot)),
  };
  if (draft.open.includes(true)) {
    undeployDependants(draft);
    deployDependencies(draft);
  }
  return { decisions: draft.decisions, conflicts: findConflicts(draft) };
}

interface Draft {
  planGraph: PlanGraph;
  decisions: Decision[];
  /** Whether the node ends deployed. */
  ends: boolean[];
  /** Whether others may depend on it then. */
  carries: boolean[];
  /** Whether the node may still be moved. */
  open: boolean[];
}

/** A node that is deployed but incomplete is redeployed only when its descriptor differs. */
function pulled(planGraph: PlanGraph, index: number): Decision {
  const reason = "REQUIRED_BY_DEPENDANT";
  if (planGraph.nodes[index]!.current !== "DEPLOYED") return { action: "DEPLOY", reason };
  return isChanged(planGraph, index)
    ? { action: "REDEPLOY", reason }
    : { action: "NONE", reason, completes: true };
}

const dropped: Decision = { action: "UNDEPLOY", reason: "DEPENDENCY_UNDEPLOYED" };

function undeployDependants(draft: Draft): void {
  // Only preserved nodes are moved here, and their dependencies are those of their snapshots.
  const dependants = reversed(draft.planGraph.oldNeeds);
  const gone: number[] = [];
  for (let index = 0; index < draft.ends.length; index += 1) {
    if (!draft.carries[index] && !draft.open[index]) gone.push(index);
  }
  for (let next = gone.pop(); next !== undefined; next = gone.pop()) {
    for (const dependant of dependants[next]!) {
      if (draft.open[dependant] && draft.ends[dependant]) {
        move(draft, dependant, dropped);
        gone.push(dependant);
      }
    }
  }
}

function deployDependencies(draft: Draft): void {
  const needy: number[] = [];
  for (let index = 0; index < draft.ends.length; index += 1) if (draft.ends[index]) needy.push(index);
  for (let next = needy.pop(); next !== undefined; next = needy.pop()) {
    for (const need of effectiveNeeds(draft.planGraph, draft.decisions[next]!, next)) {
      if (draft.open[need] && !draft.carries[need]) {
        move(draft, need, pulled(draft.planGraph, need));
        needy.push(need);
      }
    }
  }
}

function move(draft: Draft, index: number, decision: Decision): void {
  draft.decisions[index] = decision;
  draft.ends[index] = decision.action !== "UNDEPLOY";
  draft.carries[index] = draft.ends[index];
  draft.open[index] = false;
}

function findConflicts(draft: Draft): Conflict[] {
  const conflicts: Conflict[] = [];
  for (let node = 0; node < draft.ends.length; node += 1) {
    if (!draft.ends[node]) continue;
    for (const needs of effectiveNeeds(draft.planGraph, draft.decisions[node]!, node)) {
      if (!draft.carries[needs]) conflicts.push({ node, needs });
    }
  }
  return conflicts;
}
