import type { ChangeAction, KnownStatus, Reason } from "./model.ts";
import type { Target } from "./targets.ts";
import { isChanged } from "./plan-graph.ts";
import type { PlanGraph } from "./plan-graph.ts";

export interface Decision {
  action: ChangeAction;
  reason: Reason;
  /** The component itself is unchanged, but its subcomponents are brought to what the descriptor says. */
  completes?: true;
}

/** Column of the table: a wanted DEPLOYED splits by whether the descriptor differs from the snapshot. */
export type WantedColumn = "CHANGED" | "UNCHANGED" | "NOT_DEPLOYED" | "PRESERVED";

/** Step 4. The action of each node by its own state and target, ignoring dependencies. */
export function chooseBaseActions(
  planGraph: PlanGraph,
  targets: readonly Target[],
  preventRedeploy: boolean,
): Decision[] {
  return planGraph.nodes.map((node, index) => {
    if (node.removed) return removal;
    const { wanted, completes } = targets[index]!;
    if (wanted === "PRESERVED" && completes === true) return { ...preserved, completes };
    if (wanted !== "DEPLOYED") return baseAction(node.current, wanted, preventRedeploy);
    // Comparing costs a hash, so only deployed components are compared.
    const compared = node.current === "DEPLOYED" && !isChanged(planGraph, index) ? "UNCHANGED" : "CHANGED";
    return baseAction(node.current, compared, preventRedeploy);
  });
}

/** One cell of the table. */
export function baseAction(current: KnownStatus, wanted: WantedColumn, preventRedeploy: boolean): Decision {
  if (preventRedeploy && current === "DEPLOYED" && wanted === "UNCHANGED") return unchanged;
  return table[current][wanted];
}

export const removal: Decision = { action: "UNDEPLOY", reason: "REMOVED_FROM_DESCRIPTOR" };
export const undeployment: Decision = { action: "UNDEPLOY", reason: "REQUESTED" };
export const absent: Decision = { action: "NONE", reason: "ALREADY_NOT_DEPLOYED" };

const unchanged: Decision = { action: "NONE", reason: "UNCHANGED", completes: true };
export const preserved: Decision = { action: "NONE", reason: "PRESERVED" };
const deploy: Decision = { action: "DEPLOY", reason: "REQUESTED" };
const repair: Decision = { action: "DEPLOY", reason: "CORRUPT" };

const table: Record<KnownStatus, Record<WantedColumn, Decision>> = {
  NOT_DEPLOYED: {
    CHANGED: deploy,
    UNCHANGED: deploy,
    NOT_DEPLOYED: absent,
    PRESERVED: preserved,
  },
  DEPLOYED: {
    CHANGED: { action: "REDEPLOY", reason: "DESCRIPTOR_CHANGED" },
    UNCHANGED: { action: "REDEPLOY", reason: "REQUESTED" },
    NOT_DEPLOYED: undeployment,
    PRESERVED: preserved,
  },
  CORRUPT: { CHANGED: repair, UNCHANGED: repair, NOT_DEPLOYED: undeployment, PRESERVED: preserved },
};
