import type { Decision } from "./base-action.ts";
import type { Universe } from "./universe.ts";

/** Step 5. What a node needs once the plan is done: the descriptor's word if deployed now, else the snapshot's. */
export function effectiveNeeds(universe: Universe, decision: Decision, index: number): readonly number[] {
  return isProvisioned(decision) ? universe.newNeeds[index]! : universe.oldNeeds[index]!;
}

/** Whether the plan deploys the node, for the first time or again. */
export function isProvisioned({ action }: Decision): boolean {
  return action === "DEPLOY" || action === "REDEPLOY";
}

/** Whether the node is deployed when all goes well. A corrupt node that is left alone is not. */
export function endsDeployed(universe: Universe, decision: Decision, index: number): boolean {
  if (decision.action === "NONE") return universe.nodes[index]!.current === "DEPLOYED";
  return decision.action !== "UNDEPLOY";
}

/** Whether others may then stand on it: subcomponents with calls of their own have to be deployed too. */
export function endsComplete(universe: Universe, decision: Decision, index: number): boolean {
  const isLeft = decision.action === "NONE" && decision.completes !== true;
  if (isLeft && universe.nodes[index]!.last?.isIncomplete === true) return false;
  return endsDeployed(universe, decision, index);
}
