/**
 * Writes a plan as the nested task graph of the interface. The root stands for the plan and depends on the
 * tasks that nothing waits for; each stage depends on the one before it through one node.
 *
 * A task is written with its dependencies where it first occurs; later occurrences have the same fields and
 * no dependencies, because a layered graph would otherwise grow exponentially. Written with an explicit
 * stack, so that a chain of ten thousand tasks does not overflow the call stack.
 */
import { taskKinds } from "../execution/tasks/task-kinds.ts";
import { findingsIn, findingsText } from "../execution/policies/verdict.ts";
import { stages, type TaskAction } from "../execution/types.ts";
import type { PlanApproval } from "../execution/approval-store.ts";
import type { PlanView, TaskView } from "./store.ts";
import {
  planWaiting,
  stageWaiting,
  waitingContextOf,
  waitingOf,
  type Polling,
  type WaitingContext,
} from "./waiting.ts";

export interface DagNode {
  id: string;
  fields: Record<string, unknown>;
  dependsOn: string[];
}

export type DagFlavour = "plan" | "status";

export interface DagSource {
  plan: PlanView;
  tasks: TaskView[];
  flavour: DagFlavour;
  /** Prints a descriptor as YAML. */
  print: (descriptor: object | null) => string;
  now: Date;
  polling: Polling;
}

export function planText(source: DagSource): string {
  const { plan } = source;
  const head = `{"environment":${JSON.stringify(plan.environment)},"originatorUri":${JSON.stringify(plan.originator)}`;
  const origin = plan.originPlan ? `,"originPlan":${JSON.stringify(plan.originPlan)}` : "";
  return `${head}${origin},"dag":${dagText(plan.id, dagNodes(source))}}`;
}

function dagNodes(source: DagSource): Map<string, DagNode> {
  const { plan, tasks } = source;
  const byStage = Map.groupBy(tasks, (task) => task.stage);
  const nodes = new Map<string, DagNode>();
  const context = waitingContextOf(plan, tasks, source);
  const approval = approvalNode(source, context);
  if (approval) nodes.set(approval.id, approval);
  let gate: string | null = approval?.id ?? null;
  const order = [...byStage.keys()].sort((a, b) => a - b);
  for (const stage of order) {
    const members = byStage.get(stage) ?? [];
    for (const task of members) {
      const own = task.dependsOn;
      const dependsOn: string[] = own.length > 0 || gate === null ? own : [gate];
      nodes.set(task.taskId, { id: task.taskId, fields: taskFields(source, task, context), dependsOn });
    }
    const sinks = sinksOf(members);
    if (stage === order.at(-1)) {
      nodes.set(plan.id, { id: plan.id, fields: planFields(source, context), dependsOn: sinks });
    } else {
      gate = `${plan.id}:stage-${stage === stages.policies ? "policies" : stage}`;
      nodes.set(gate, {
        id: gate,
        fields: gateFields(source, gate, { members, context: context }),
        dependsOn: sinks,
      });
    }
  }
  if (order.length === 0)
    nodes.set(plan.id, {
      id: plan.id,
      fields: planFields(source, context),
      dependsOn: gate === null ? [] : [gate],
    });
  return nodes;
}

/** The stage before all others, of a plan that waits or waited for somebody's approval. */
function approvalNode({ plan, flavour }: DagSource, context: WaitingContext): DagNode | null {
  const { approval, approvalStatus } = plan;
  if (!approval || !approvalStatus) return null;
  const id = `${plan.id}:approval`;
  const isPending = approvalStatus === "PENDING";
  const waiting = isPending ? planWaiting(context) : null;
  const message = approvalMessage(approvalStatus, approval);
  const fields = {
    ...common({
      id,
      displayName: `Approval by the rule "${approval.rule}"`,
      status: approvalStatuses.get(approvalStatus) ?? "WAITING",
      startedAt: new Date(approval.since),
      stoppedAt: approval.decidedAt === undefined ? null : new Date(approval.decidedAt),
    }),
    ...(waiting ? { waiting } : {}),
  };
  if (flavour === "status")
    return { id, fields: { ...fields, result: { message, info: shownApproval(approval) } }, dependsOn: [] };
  const version = plan.descriptorVersion ?? "";
  const more = {
    componentName: "",
    descriptor: "",
    version,
    action: "APPROVAL",
    result: message,
    subPlanId: "",
  };
  return { id, fields: { ...fields, ...more }, dependsOn: [] };
}

/** Without what the deciders of further approvals will be shown. */
const shownApproval = ({ fields: _fields, ...shown }: PlanApproval): object => shown;

const approvalStatuses: ReadonlyMap<string, string> = new Map([
  ["PENDING", "RUNNING"],
  ["APPROVED", "COMPLETED"],
  ["REJECTED", "FAILED"],
  ["EXPIRED", "FAILED"],
]);

function approvalMessage(status: string, { approvers, decidedBy, reason, expiresAt }: PlanApproval): string {
  if (status === "PENDING") {
    const who = approvers.length === 0 ? "an operator" : approvers.join(", ");
    return `Waits for ${who}${expiresAt === null ? "" : ` until ${expiresAt}`}.`;
  }
  const why = reason === undefined ? "" : `: ${reason}`;
  return status === "EXPIRED"
    ? `Nobody decided in time${why}`
    : `${status === "APPROVED" ? "Approved" : "Refused"} by ${decidedBy}${why}`;
}

function sinksOf(members: TaskView[]): string[] {
  const awaited = new Set(members.flatMap((task) => task.dependsOn));
  return members.filter((task) => !awaited.has(task.taskId)).map((task) => task.taskId);
}

interface CommonFields {
  id: string;
  displayName: string;
  status: string;
  startedAt: Date | null;
  stoppedAt: Date | null;
}

const common = ({
  id,
  displayName,
  status,
  startedAt,
  stoppedAt,
}: CommonFields): Record<string, unknown> => ({
  id,
  displayName,
  name: id,
  status,
  startTime: startedAt?.toISOString() ?? null,
  stopTime: stoppedAt?.toISOString() ?? null,
});

function planFields({ plan, flavour, print }: DagSource, context: WaitingContext): Record<string, unknown> {
  const displayName = `${taskKinds[plan.action].verb} ${plan.unitId ?? plan.id}`;
  const waiting = planWaiting(context);
  const fields = { ...common({ ...plan, displayName }), ...(waiting ? { waiting } : {}) };
  if (flavour === "status") return { ...fields, result: { message: plan.failure ?? "" } };
  return {
    ...fields,
    componentName: "",
    descriptor: print(plan.descriptor),
    version: plan.descriptorVersion ?? "",
    action: plan.action,
    result: plan.failure ?? "",
    subPlanId: "",
  };
}

function taskFields(source: DagSource, task: TaskView, context: WaitingContext): Record<string, unknown> {
  const { plan, flavour, print } = source;
  const displayName = `${taskKinds[task.action].verb} ${task.componentName ?? task.componentId ?? ""}`.trim();
  const waiting = waitingOf(task, context);
  const fields = {
    ...common({ ...task, id: task.taskId, displayName }),
    ...(waiting ? { waiting } : {}),
  };
  if (flavour === "status") {
    return { ...fields, result: { message: messageOf(task), info: task.publicInfo ?? {} } };
  }
  return {
    ...fields,
    componentName: task.componentName ?? task.componentId ?? "",
    descriptor: print(task.descriptor),
    version: plan.descriptorVersion ?? "",
    action: task.action,
    result: task.result ?? "",
    subPlanId: "",
  };
}

/** The result of a task about policies may be a whole report; people read what it found. */
function messageOf({ action, publicInfo, result }: TaskView): string {
  const isReport = action === "POLICY_VALIDATE_COMPONENT" && publicInfo !== null;
  return isReport ? findingsText(findingsIn({ publicInfo })) : (result ?? "");
}

function gateFields(
  { plan, flavour }: DagSource,
  id: string,
  { members, context }: { members: TaskView[]; context: WaitingContext },
): Record<string, unknown> {
  const statuses = members.map((task) => task.status);
  const times = members.map((task) => task.stoppedAt?.getTime() ?? 0);
  const isOver = members.every((task) => task.stoppedAt);
  const gate = gates.get(members[0]?.stage);
  const status = statuses.every((s) => s === "COMPLETED")
    ? "COMPLETED"
    : statuses.includes("FAILED") && isOver
      ? "FAILED"
      : statuses.every((s) => s === "WAITING")
        ? "WAITING"
        : isOver
          ? "TERMINATED"
          : "RUNNING";
  const waiting = stageWaiting(members, context);
  const fields = {
    ...common({
      id,
      displayName: gate?.name ?? "All components are done",
      status,
      startedAt: plan.startedAt,
      stoppedAt: isOver ? new Date(Math.max(...times)) : null,
    }),
    ...(waiting ? { waiting } : {}),
  };
  if (flavour === "status") return { ...fields, result: { message: "" } };
  return {
    ...fields,
    componentName: "",
    descriptor: "",
    version: plan.descriptorVersion ?? "",
    action: gate?.action ?? plan.action,
    result: "",
    subPlanId: "",
  };
}

const gates = new Map<number | undefined, { name: string; action: TaskAction }>([
  [stages.policies, { name: "All policies hold", action: "POLICY_VALIDATE_COMPONENT" }],
  [stages.validate, { name: "All components are valid", action: "VALIDATE_COMPONENT" }],
]);

function dagText(rootId: string, nodes: Map<string, DagNode>): string {
  const out: string[] = [];
  const seen = new Set<string>();
  const stack: { children: string[]; next: number }[] = [];
  const open = (id: string): void => {
    const node = nodes.get(id);
    const children = seen.has(id) ? [] : (node?.dependsOn ?? []);
    seen.add(id);
    out.push(JSON.stringify(node?.fields ?? { id }).slice(0, -1), ',"dependsOnTasks":[');
    stack.push({ children, next: 0 });
  };
  open(rootId);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const child = frame.children[frame.next];
    if (child === undefined) {
      out.push("]}");
      stack.pop();
      continue;
    }
    if (frame.next > 0) out.push(",");
    frame.next++;
    open(child);
  }
  return out.join("");
}
