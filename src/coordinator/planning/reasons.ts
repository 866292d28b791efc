import type { Decision } from "./base-action.ts";
import { endsDeployed, isProvisioned } from "./effective-needs.ts";
import type { Reason } from "./model.ts";
import type { Universe } from "./universe.ts";

const none: readonly Reason[] = [];
const redeployedBelow: readonly Reason[] = ["DEPENDENCY_REDEPLOYED"];
const rootFirst: readonly Reason[] = ["ROOT_FIRST"];

/**
 * Step 7. What else is to be said of a node besides its first reason: that something is deployed again
 * beneath a component that stays as it is, and that the root goes before the components.
 */
export function additionalReasons(universe: Universe, decisions: readonly Decision[]): (readonly Reason[])[] {
  const deploysComponents = decisions.some(
    (decision, index) => !universe.nodes[index]!.isRoot && isProvisioned(decision),
  );
  return decisions.map((decision, index) => {
    if (isProvisioned(decision)) return universe.nodes[index]!.isRoot && deploysComponents ? rootFirst : none;
    if (!endsDeployed(universe, decision, index)) return none;
    return universe.oldNeeds[index]!.some((need) => isProvisioned(decisions[need]!)) ? redeployedBelow : none;
  });
}
