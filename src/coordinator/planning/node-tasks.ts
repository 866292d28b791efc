/** Pure. The tasks of one node: its own, and those of its subcomponents that have calls of their own. */
import { cyclicGroups, topologicalOrder, type Edges } from "../../platform/lib/graph.ts";
import { idKey } from "../ids.ts";
import type { Decision } from "./base-action.ts";
import { isProvisioned } from "./effective-needs.ts";
import type { ProvisioningPlan } from "./plan.ts";
import type { PlanNode, PlanPart } from "./plan-graph.ts";

export interface ExecutionTask {
  /** Unique within the plan: the action and the component. */
  key: string;
  action: "VALIDATE_COMPONENT" | "PROVISION" | "UNPROVISION";
  /** No task of `execute` starts before every task of `validate` has succeeded. */
  stage: "validate" | "execute";
  /** Id of a component, of a subcomponent with a call of its own, or of the unit. */
  componentId: string;
  isRoot: boolean;
  /** The template in the descriptor, or for UNPROVISION that in the deployed snapshot where it is known. */
  infrastructureTemplateId: string | undefined;
  /** Only ever true for UNPROVISION. */
  removeData: boolean;
  /** Keys of the tasks of the same stage that have to succeed before. */
  dependsOn: string[];
}

type Plan = Pick<ProvisioningPlan, "planGraph" | "decisions" | "partDecisions" | "removeData">;

const isRemoval = ({ action }: Decision): boolean => action === "UNDEPLOY";

/** Keys of the PROVISION tasks of a node that no other of them waits for. */
export function lastProvisions(plan: Plan, index: number): readonly string[] {
  const { node, own, parts } = workOf(plan, index, "PROVISION");
  const last = parts === undefined ? [] : unawaited(parts);
  if (last.length > 0) return last.map((place) => keyOf("PROVISION", node.parts[place]!.id));
  return own ? [keyOf("PROVISION", node.id)] : [];
}

/** The subcomponents after the node itself, or after `waits` where that is left alone. */
export function provisionTasks(plan: Plan, index: number, waits: readonly string[]): ExecutionTask[] {
  const { node, own, parts } = workOf(plan, index, "PROVISION");
  const tasks = own ? [newTask(plan, node, { action: "PROVISION", dependsOn: waits })] : [];
  if (parts === undefined) return tasks;
  const first = own ? [keyOf("PROVISION", node.id)] : waits;
  return [...tasks, ...partTasks(plan, node, { action: "PROVISION", parts, first })];
}

/** Keys of the UNPROVISION tasks of a node that no other of them waits for. */
export function lastUnprovisions(plan: Plan, index: number): readonly string[] {
  const { node, own, parts } = workOf(plan, index, "UNPROVISION");
  if (own) return [keyOf("UNPROVISION", node.id)];
  return parts === undefined
    ? []
    : unawaited(parts).map((place) => keyOf("UNPROVISION", node.parts[place]!.id));
}

/** The subcomponents before the node itself. */
export function unprovisionTasks(plan: Plan, index: number, waits: readonly string[]): ExecutionTask[] {
  const { node, own, parts } = workOf(plan, index, "UNPROVISION");
  const tasks =
    parts === undefined ? [] : partTasks(plan, node, { action: "UNPROVISION", parts, first: waits });
  if (!own) return tasks;
  const last =
    parts === undefined ? [] : unawaited(parts).map((place) => keyOf("UNPROVISION", node.parts[place]!.id));
  const dependsOn = last.length > 0 ? last : waits;
  return [...tasks, newTask(plan, node, { action: "UNPROVISION", dependsOn })];
}

type Action = "PROVISION" | "UNPROVISION";

/** What an action does in a node. */
interface Work {
  node: PlanNode;
  own: boolean;
  /** Undefined where it does nothing with subcomponents. */
  parts: PartWork | undefined;
}

/** By place among the parts of a node. */
interface PartWork {
  /** The parts that have a task, each after those it waits for. */
  sequence: readonly number[];
  /** The parts with a task that each part waits for, also through parts that stay unchanged. */
  waits: Edges;
}

function workOf({ planGraph, decisions, partDecisions }: Plan, index: number, action: Action): Work {
  const node = planGraph.nodes[index]!;
  const does = action === "PROVISION" ? isProvisioned : isRemoval;
  const own = does(decisions[index]!);
  const ofParts = partDecisions[index]!;
  if (!ofParts.some(does)) return { node, own, parts: undefined };
  const edges = action === "PROVISION" ? node.parts.map(({ after }) => after) : removalEdges(node.parts);
  const isAtWork = (place: number): boolean => does(ofParts[place]!);
  const sequence = topologicalOrder(edges).filter(isAtWork);
  return { node, own, parts: withFewEnds({ sequence, waits: waitsThrough(edges, isAtWork) }) };
}

/** Maximum number of last parts of a node; everything that waits for the node waits for each of them. */
const maxEnds = 32;

/** Where several parts come last, makes one of them wait for the others and stand for all. */
function withFewEnds(parts: PartWork): PartWork {
  const ends = unawaited(parts);
  const last = ends.pop();
  if (last === undefined || ends.length < maxEnds) return parts;
  const waits = parts.waits.map((direct, place) => (place === last ? [...direct, ...ends] : direct));
  // Nothing waits for this part, so it can be moved to the end.
  return { sequence: [...parts.sequence.filter((place) => place !== last), last], waits };
}

/**
 * Of each part, those that go before it: what was provisioned after it, because it is nested in it or
 * depended on it. Snapshots of different versions can contradict each other; then only the nesting counts.
 */
function removalEdges(parts: readonly PlanPart[]): Edges {
  const placeOf = new Map(parts.map(({ id }, place) => [idKey(id), place]));
  const nested: number[][] = parts.map(() => []);
  const all: number[][] = parts.map(() => []);
  for (let place = 0; place < parts.length; place += 1) {
    const { ownerId, dependsOn = [] } = parts[place]!.last ?? {};
    const owner = ownerId === undefined ? undefined : placeOf.get(idKey(ownerId));
    if (owner !== undefined && owner !== place) {
      nested[owner]!.push(place);
      all[owner]!.push(place);
    }
    for (const id of dependsOn) {
      const other = placeOf.get(idKey(id));
      if (other !== undefined && other !== place && other !== owner) all[other]!.push(place);
    }
  }
  return cyclicGroups(all).length === 0 ? all : nested;
}

function waitsThrough(edges: Edges, isAtWork: (place: number) => boolean): Edges {
  return edges.map((direct, place) => {
    if (!isAtWork(place)) return [];
    const found: number[] = [];
    const seen = new Set(direct);
    for (const other of seen) {
      if (isAtWork(other)) found.push(other);
      else for (const further of edges[other]!) seen.add(further);
    }
    return found;
  });
}

function unawaited({ sequence, waits }: PartWork): number[] {
  const awaited = new Set(sequence.flatMap((place) => waits[place]!));
  return sequence.filter((place) => !awaited.has(place));
}

interface PartTasks {
  action: Action;
  parts: PartWork;
  /** What the first parts wait for. */
  first: readonly string[];
}

/**
 * Maximum number of edges to the first parts of a node; with more, the other first parts wait for one of
 * them.
 */
const maxFirstEdges = 1_000;

function partTasks(plan: Plan, node: PlanNode, { action, parts, first }: PartTasks): ExecutionTask[] {
  const keyAt = (place: number): string => keyOf(action, node.parts[place]!.id);
  const entries = parts.sequence.filter((place) => parts.waits[place]!.length === 0);
  const standIn = entries.length * first.length > maxFirstEdges ? entries[0] : undefined;
  return parts.sequence.map((place) => {
    const inner = parts.waits[place]!.map(keyAt);
    const isFirst = inner.length === 0;
    const outer = standIn === undefined || place === standIn ? first : [keyAt(standIn)];
    return newTask(plan, node.parts[place]!, { action, dependsOn: isFirst ? outer : inner });
  });
}

function newTask(
  { removeData }: Plan,
  each: PlanNode | PlanPart,
  { action, dependsOn }: { action: Action; dependsOn: readonly string[] },
): ExecutionTask {
  const ofSnapshot = action === "UNPROVISION" ? each.last?.infrastructureTemplateId : undefined;
  return {
    key: keyOf(action, each.id),
    action,
    stage: "execute",
    componentId: each.id,
    isRoot: "isRoot" in each && each.isRoot,
    infrastructureTemplateId: ofSnapshot ?? each.infrastructureTemplateId,
    removeData: action === "UNPROVISION" && removeData,
    dependsOn: [...dependsOn],
  };
}

const keyOf = (action: Action, componentId: string): string => `${action.toLowerCase()}:${componentId}`;
