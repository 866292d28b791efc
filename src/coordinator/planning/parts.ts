import { absent, baseAction, preserved, removal, undeployment } from "./base-action.ts";
import type { Decision } from "./base-action.ts";
import { isProvisioned } from "./effective-needs.ts";
import { isComponentChanged, isPartPresent } from "./universe.ts";
import type { PlanNode, PlanPart } from "./universe.ts";

const none: readonly Decision[] = [];

/**
 * What becomes of the subcomponents of a node that have calls of their own. They are deployed whenever their component
 * is, and go before it does. One that is left alone because it is unchanged still has those of them provisioned that are
 * not as the descriptor says: they failed, or their turn never came.
 */
export function decideParts(node: PlanNode, decision: Decision): readonly Decision[] {
  if (node.parts.length === 0) return none;
  return node.parts.map((part) => decidePart(part, node, decision));
}

function decidePart(part: PlanPart, node: PlanNode, decision: Decision): Decision {
  const { action, reason, completes } = decision;
  if (isProvisioned(decision)) {
    if (part.removed) return part.isAbsorbed ? preserved : removal;
    return { action: part.current === "DEPLOYED" ? "REDEPLOY" : "DEPLOY", reason };
  }
  if (action === "UNDEPLOY") return isPartPresent(part) ? { action, reason } : absent;
  if (completes === true && node.current === "DEPLOYED") return complete(part);
  const isGone = reason === absent.reason || (completes === true && node.current === "NOT_DEPLOYED");
  if (isGone) return isPartPresent(part) ? undeployment : absent;
  return preserved;
}

function complete(part: PlanPart): Decision {
  if (part.removed) return part.isAbsorbed ? preserved : removal;
  const isChanged = part.current === "DEPLOYED" && isComponentChanged(part);
  return baseAction(part.current, isChanged ? "CHANGED" : "UNCHANGED", true);
}
