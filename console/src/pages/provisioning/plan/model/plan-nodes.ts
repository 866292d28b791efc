/** The nested task graph of a plan as a flat list in the order of the plan. Pure. */
import type { CoordinatorComponents } from "plinth-client";

type Schemas = CoordinatorComponents["schemas"];
export type TaskStatusWord = Schemas["TaskStatusWord"];
export type TaskWaiting = Schemas["TaskWaiting"];
type GraphNode = Schemas["TaskGraphStatus"];

export interface PlanNode {
  id: string;
  name: string;
  /** A stage stands between the tasks of one stage and those of the next. */
  kind: "plan" | "approval" | "stage" | "task";
  status: TaskStatusWord;
  /** Milliseconds since 1970. */
  startedAt: number | null;
  stoppedAt: number | null;
  message: string;
  /** What the adapter or the policies found, and what they advise. */
  problems: readonly string[];
  solutions: readonly string[];
  waiting: TaskWaiting | null;
  /** Ids of nodes that come before this one. */
  dependsOn: readonly string[];
}

/** The root comes last: each node comes after all that it depends on. */
export function nodesOf(planId: string, root: GraphNode): PlanNode[] {
  const found: PlanNode[] = [];
  const seen = new Set<string>([root.id]);
  const stack = [{ node: root, next: 0 }];
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const child = frame.node.dependsOnTasks[frame.next];
    frame.next += 1;
    if (child === undefined) {
      found.push(nodeOf(planId, frame.node));
      stack.pop();
    } else if (!seen.has(child.id)) {
      seen.add(child.id);
      stack.push({ node: child, next: 0 });
    }
  }
  return found;
}

function nodeOf(planId: string, node: GraphNode): PlanNode {
  const { problems, solutions } = adviceIn(node.result["info"]);
  return {
    id: node.id,
    name: node.displayName,
    kind: kindOf(planId, node.id),
    status: node.status,
    startedAt: timeOf(node.startTime),
    stoppedAt: timeOf(node.stopTime),
    message: node.result.message,
    problems,
    solutions,
    waiting: node.waiting ?? null,
    dependsOn: node.dependsOnTasks.map(({ id }) => id),
  };
}

const kindOf = (planId: string, id: string): PlanNode["kind"] => {
  if (id === planId) return "plan";
  if (id === `${planId}:approval`) return "approval";
  return id.startsWith(`${planId}:stage-`) ? "stage" : "task";
};

export const timeOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Date.parse(text);

interface Advice {
  problems: string[];
  solutions: string[];
}

/** Of an adapter's refusal they are its own members; of policies they are one level below. */
function adviceIn(info: unknown): Advice {
  const own = recordOf(info);
  const policies = recordOf(own["policies"]);
  return {
    problems: [...textsOf(own["problems"]), ...textsOf(policies["problems"])],
    solutions: [...textsOf(own["solutions"]), ...textsOf(policies["solutions"])],
  };
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

/** Texts as they are; of a problem that is an object, its message. */
const textsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value
        .map((each: unknown) => (typeof each === "string" ? each : recordOf(each)["message"]))
        .filter((text) => typeof text === "string")
    : [];

const ranks: Record<TaskStatusWord, number> = {
  WAITING: 0,
  RUNNING: 1,
  TERMINATING: 2,
  COMPLETED: 3,
  FAILED: 3,
  SKIPPED: 3,
  TERMINATED: 3,
};

export const isOver = (status: TaskStatusWord): boolean => ranks[status] === 3;

/** A task never goes back, so what arrives late, such as the first events of a stream, is told by this. */
export const isOlder = (status: TaskStatusWord, than: TaskStatusWord): boolean => ranks[status] < ranks[than];
