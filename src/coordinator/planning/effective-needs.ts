import type { Decision } from "./base-action.ts";
import type { PlanGraph } from "./plan-graph.ts";

/**
 * Step 5. What a node needs after the plan: by the descriptor when the plan deploys it, else by its snapshot.
 */
export function effectiveNeeds(planGraph: PlanGraph, decision: Decision, index: number): readonly number[] {
  return isProvisioned(decision) ? planGraph.newNeeds[index]! : planGraph.oldNeeds[index]!;
}

/** Whether the plan deploys the node, for the first time or again. */
export function isProvisioned({ action }: Decision): boolean {
  return action === "DEPLOY" || action === "REDEPLOY";
}

/** Whether the node is deployed after a successful plan. A corrupt node that is left alone is not. */
export function endsDeployed(planGraph: PlanGraph, decision: Decision, index: number): boolean {
  if (decision.action === "NONE") return planGraph.nodes[index]!.current === "DEPLOYED";
  return decision.action !== "UNDEPLOY";
}

/**
 * Whether others may depend on it then: its subcomponents with calls of their own have to be deployed too.
 */
export function endsComplete(planGraph: PlanGraph, decision: Decision, index: number): boolean {
  const isLeft = decision.action === "NONE" && decision.completes !== true;
  if (isLeft && planGraph.nodes[index]!.last?.isIncomplete === true) return false;
  return endsDeployed(planGraph, decision, index);
}
