import type { Problem } from "../../platform/errors/failure.ts";
import { idKey } from "../ids.ts";
import { newProblemList, problemsOf, report } from "./descriptor/problem-list.ts";
import type { ChangeAction, PlanMode, RequestedTarget, TargetStatus } from "./model.ts";
import { isPartPresent } from "./plan-graph.ts";
import type { PlanNode, PlanGraph } from "./plan-graph.ts";

/** The requested state of a node. */
export interface Target {
  wanted: TargetStatus | "PRESERVED";
  /** No target was requested: the planner preserves the node, and step 6 may move it. */
  open: boolean;
  /** The node is preserved, but its subcomponents are brought to what the descriptor says. */
  completes?: true;
}

export interface Targets {
  /** By node index. */
  targets: Target[];
  /** By node index: the entry of the request that set it, or -1. */
  entries: number[];
  problems: Problem[];
}

/**
 * Step 3, with the checks of targets. The root needs no target in any mode: without one it follows its
 * components when they all have the same.
 */
export function chooseTargets(
  planGraph: PlanGraph,
  requested: readonly RequestedTarget[],
  mode: PlanMode,
): Targets {
  const entries: number[] = planGraph.nodes.map(() => -1);
  const problems = newProblemList();
  const parts: PartEntry[] = [];
  const partsSeen = new Set<string>();
  for (let entry = 0; entry < requested.length; entry += 1) {
    const target = requested[entry]!;
    const key = idKey(target.componentId);
    const index = planGraph.find(key);
    if (index === undefined) {
      report(problems, unknown(target, entry));
      continue;
    }
    const node = planGraph.nodes[index]!;
    const isNode = idKey(node.id) === key;
    if (isNode ? entries[index]! >= 0 : partsSeen.has(key)) report(problems, repeated(target, entry));
    else if (isNode) {
      entries[index] = entry;
      const fault = faultOfEntry(node, target);
      if (fault !== undefined) report(problems, { ...fault, where: `/targetStatus/${entry}/${fault.where}` });
    } else {
      partsSeen.add(key);
      parts.push({ entry, index, target });
    }
  }
  const completed = new Set<number>();
  for (const part of parts) {
    const parentEntry = entries[part.index]!;
    const parent = parentEntry < 0 ? undefined : requested[parentEntry];
    if (!isFollowing(planGraph, part, parent)) report(problems, apart(planGraph, part));
    const isAsked = part.target.action !== undefined && part.target.action !== "NONE";
    if (isAsked && parent?.action === "NONE") completed.add(part.index);
  }
  const targets = planGraph.nodes.map((node, index) => {
    const entry = entries[index]!;
    const target = targetOf(node, entry < 0 ? undefined : requested[entry]);
    return target === preserved && completed.has(index) ? preservedAndCompleted : target;
  });
  followComponents(planGraph, targets);
  const missing = planGraph.nodes.filter((node, index) => targets[index]!.open && !node.isRoot);
  if (mode === "strict" && missing.length > 0) report(problems, missingTargets(missing));
  return { targets, entries, problems: problemsOf(problems) };
}

/** A target that names a subcomponent. */
interface PartEntry {
  entry: number;
  index: number;
  target: RequestedTarget;
}

const open: Target = { wanted: "PRESERVED", open: true };
const preserved: Target = { wanted: "PRESERVED", open: false };
const preservedAndCompleted: Target = { ...preserved, completes: true };
const deployed: Target = { wanted: "DEPLOYED", open: false };
const notDeployed: Target = { wanted: "NOT_DEPLOYED", open: false };

/** Whether the entry of a part agrees with its parent's, or undeploys a removed part. */
function isFollowing(
  planGraph: PlanGraph,
  { index, target }: PartEntry,
  parent: RequestedTarget | undefined,
): boolean {
  if (parent?.targetStatus === target.targetStatus) return true;
  if (parent === undefined || target.targetStatus !== "NOT_DEPLOYED") return false;
  const key = idKey(target.componentId);
  return planGraph.nodes[index]!.parts.some(({ id, removed }) => removed && idKey(id) === key);
}

function targetOf(node: PlanNode, requested: RequestedTarget | undefined): Target {
  if (node.removed) return notDeployed;
  if (requested === undefined) return open;
  // A preview's NONE that is copied into a start must not become a redeployment.
  const isThere = node.current !== "NOT_DEPLOYED" || node.parts.some(isPartPresent);
  if (requested.action === "NONE" && isThere) return preserved;
  return requested.targetStatus === "DEPLOYED" ? deployed : notDeployed;
}

function followComponents(planGraph: PlanGraph, targets: Target[]): void {
  const root = planGraph.nodes[0];
  if (root === undefined || !root.isRoot || !targets[0]!.open) return;
  const ofDescriptor = targets.filter((_, index) => index > 0 && !planGraph.nodes[index]!.removed);
  const first = ofDescriptor[0];
  if (first === undefined || first.wanted === "PRESERVED") return;
  if (ofDescriptor.every((target) => target.wanted === first.wanted)) targets[0] = first;
}

const fittingActions: Record<TargetStatus, readonly ChangeAction[]> = {
  DEPLOYED: ["DEPLOY", "REDEPLOY", "NONE"],
  NOT_DEPLOYED: ["UNDEPLOY", "NONE"],
};

interface EntryFault {
  /** Field of the entry. */
  where: "targetStatus" | "action";
  message: string;
  solution: string;
}

function faultOfEntry(node: PlanNode, requested: RequestedTarget): EntryFault | undefined {
  const { targetStatus, action } = requested;
  if (action !== undefined && !fittingActions[targetStatus].includes(action)) {
    return {
      where: "action",
      message: `The action ${action} of ${node.id} does not lead to its targetStatus ${targetStatus}.`,
      solution: "Leave the action out, or give one that fits.",
    };
  }
  if (node.removed) {
    const isFine = targetStatus === "NOT_DEPLOYED" && action !== "NONE";
    return isFine ? undefined : removedCannotStay(node, action === "NONE" ? "action" : "targetStatus");
  }
  const contradicts = node.current !== "CORRUPT" && node.current !== targetStatus;
  if (action !== "NONE" || !contradicts) return undefined;
  return {
    where: "action",
    message: `${node.id} is ${node.current}; with the action NONE it cannot become ${targetStatus}.`,
    solution: "Leave the action out, or give the current status as targetStatus.",
  };
}

function removedCannotStay(node: PlanNode, where: EntryFault["where"]): EntryFault {
  return {
    where,
    message: `${node.id} is not in the descriptor, so it can only be undeployed.`,
    solution: "Remove the entry, or put the component back into the descriptor.",
  };
}

function repeated({ componentId }: RequestedTarget, entry: number): Problem {
  return {
    where: `/targetStatus/${entry}/componentId`,
    message: `${componentId} has more than one target status.`,
    solution: "Give each component one entry.",
  };
}

function unknown({ componentId }: RequestedTarget, entry: number): Problem {
  return {
    where: `/targetStatus/${entry}/componentId`,
    message: `${componentId} is neither a component of the descriptor nor deployed.`,
    solution: "Correct the componentId, or remove the entry.",
  };
}

function apart(planGraph: PlanGraph, { entry, index, target }: PartEntry): Problem {
  const parent = planGraph.nodes[index]!.id;
  return {
    where: `/targetStatus/${entry}/targetStatus`,
    message: `${target.componentId} is a part of ${parent} and is deployed and undeployed with it.`,
    solution: `Give ${parent} the same targetStatus, or remove the entry.`,
  };
}

function missingTargets(missing: readonly PlanNode[]): Problem {
  return {
    where: "/targetStatus",
    message: `These components have no target status: ${missing.map((node) => node.id).join(", ")}.`,
    solution: "Give each of them a targetStatus, or start with unsafe=true to leave them as they are.",
  };
}
