/** What must hold at every moment of a simulation, whatever happens. Tells each breach once, in words. */
import { isTaskEnd, isTaskMove } from "../engine/record.ts";
import type { AdapterWatch, SeenCall, Work } from "./adapter.ts";
import { epochMs, type Machine, type VirtualClock } from "./clock.ts";
import {
  isActive,
  type ChangeRow,
  type StorageWatch,
  type StoredPlan,
  type StoredTask,
  type Storage,
} from "./storage.ts";

export interface JudgeOptions {
  clock: VirtualClock;
  storage: Storage;
  works: Map<string, Work>;
  slots: { total: number; perAdapter: number };
  /** Within which a cut plan ends when nothing is in its way. */
  cutMs: number;
}

/** Nothing stands still for it: it has completed, or it has failed and does not matter. */
const isPassed = (task: StoredTask): boolean =>
  task.status === "COMPLETED" || (task.status === "FAILED" && task.details?.isBlocking === false);

/** While it lasts, and for as long after as a cut takes, nothing is late. */
interface Violation {
  from: number;
  to: number;
}

interface TaskFacts {
  /** The machine and the claim under which it was first started. */
  plan: StoredPlan | null;
  startedBy: Machine | null;
  firstFence: number;
  calls: SeenCall[];
}

export function createJudge({ clock, storage, works, slots, cutMs }: JudgeOptions) {
  const breaches: string[] = [];
  const violations: Violation[] = [];
  const facts = new Map<string, TaskFacts>();
  const terminationNotified = new Map<StoredPlan, { machine: Machine; group: number }>();
  const report = (what: string): void => {
    if (breaches.length < 20) breaches.push(`at ${clock.nowMs().toFixed(1)} ms: ${what}`);
  };
  const factsOf = (key: string): TaskFacts => {
    const known = facts.get(key) ?? { plan: null, startedBy: null, firstFence: 0, calls: [] };
    facts.set(key, known);
    return known;
  };
  const planOf = (key: string): StoredPlan | undefined => storage.plans.get(key.slice(0, key.indexOf(":")));
  const taskOf = (key: string): StoredTask | undefined =>
    planOf(key)?.tasks.get(key.slice(key.indexOf(":") + 1));

  const checkStart = (plan: StoredPlan, task: StoredTask): void => {
    for (const id of task.dependsOn) {
      const before = plan.tasks.get(id);
      if (before && before.status !== "COMPLETED")
        report(`${task.taskId} starts while ${id} is ${before.status}`);
    }
    for (const other of plan.tasks.values()) {
      if (other.stage < task.stage && !isPassed(other))
        report(`${task.taskId} starts while ${other.taskId} of an earlier stage is ${other.status}`);
    }
  };
  const checkChange = (machine: Machine, plan: StoredPlan, change: ChangeRow): StoredTask => {
    const task = plan.tasks.get(change.task_id)!;
    const name = `${plan.row.id}:${change.task_id}`;
    if (!isTaskMove(task.status, change.status, { inRows: true }))
      report(`${name} goes from ${task.status} to ${change.status}`);
    if (plan.owner !== machine)
      report(`${machine.name} changes ${name} although ${plan.owner?.name} drives the plan`);
    if (!isActive(plan)) report(`${name} is changed after the end of the plan`);
    return task;
  };

  const storageWatch: StorageWatch = {
    changed(machine, plan, change, group) {
      const task = checkChange(machine, plan, change);
      if (task.status !== "WAITING" || change.status !== "RUNNING") return;
      checkStart(plan, task);
      Object.assign(factsOf(task.idempotencyKey), { plan, startedBy: machine, firstFence: plan.row.fence });
      const since = terminationNotified.get(plan);
      // Writes that were under way at the notification may still arrive.
      if (since?.machine === machine && group > since.group + 1)
        report(`${task.idempotencyKey} starts after its machine was notified of the termination`);
    },
    ended(machine, plan, outcome) {
      if (plan.owner !== machine)
        report(`${machine.name} ends ${plan.row.id}, which ${plan.owner?.name} drives`);
      const tasks = [...plan.tasks.values()];
      for (const { taskId, status } of tasks)
        if (!isTaskEnd(status)) report(`${plan.row.id} ends while ${taskId} is ${status}`);
      const isWhole = tasks.every(isPassed);
      const expected = isWhole ? "COMPLETED" : plan.terminations.length > 0 ? "TERMINATED" : "FAILED";
      if (outcome !== expected) report(`${plan.row.id} ends ${outcome} where ${expected} was due`);
      for (const task of tasks) checkEnd(plan, task);
    },
  };
  const checkEnd = (plan: StoredPlan, task: StoredTask): void => {
    const name = task.idempotencyKey;
    const isLate = epochMs + clock.nowMs() >= plan.row.deadlineAt.getTime();
    const blocks = (other: StoredTask): boolean =>
      other.status !== "COMPLETED" && (other.stage < task.stage || task.dependsOn.includes(other.taskId));
    if (task.status === "SKIPPED" && !isLate && ![...plan.tasks.values()].some(blocks))
      report(`${name} was skipped although nothing stood in its way`);
    if (task.status === "TERMINATED" && plan.terminations.length === 0)
      report(`${name} was terminated by nobody`);
    if (task.action !== "PROVISION" && task.action !== "UNPROVISION") return;
    const work = works.get(name);
    if (task.status === "COMPLETED" && !(work?.isReported && work.outcome === "COMPLETED"))
      report(`${name} is COMPLETED although its adapter never said so`);
    const component = storage.unitOf(plan.row.unitKey ?? "").get(task.componentKey ?? "");
    const now = component?.status ?? null;
    const allowed = allowedComponent(task, factsOf(name), {
      acted: work?.acted === true,
      fence: plan.row.fence,
    });
    if (!allowed.includes(now))
      report(`${name} ended ${task.status}: its component is ${now}, not ${allowed.join(" or ")}`);
  };

  const adapterWatch: AdapterWatch = {
    sent(call) {
      const plan = planOf(call.key);
      const task = taskOf(call.key);
      if (!plan || !task) return report(`a call under the unknown key ${call.key}`);
      const isDriver = plan.owner === call.machine;
      if (call.kind === "poll" || call.kind === "terminate") {
        if (isDriver && call.token !== task.token)
          report(`${call.key} polls ${call.token}, its token is ${task.token}`);
        return;
      }
      const { calls, startedBy } = factsOf(call.key);
      calls.push(call);
      // An adapter without /v2/validate is asked by /v1/validate at once.
      const same = calls.filter((other) => other.isLater === call.isLater);
      if (same.length > task.attempts || task.intentAt === null)
        report(`${call.key} is called ${same.length} times with ${task.attempts} intents written`);
      if (isDriver && task.status !== "RUNNING" && task.status !== "TERMINATING")
        report(`${call.key} is called while it is ${task.status}`);
      if (isDriver && task.token !== null) report(`${call.key} is called again although it has a token`);
      if (same[0]?.body !== call.body) report(`${call.key} is repeated with another body`);
      checkStart(plan, task);
      if (startedBy === call.machine) checkLimits(call.machine);
    },
  };
  const checkLimits = (machine: Machine): void => {
    const open = [...facts.values()]
      .filter(({ startedBy, firstFence, plan }) => startedBy === machine && plan?.row.fence === firstFence)
      .flatMap(({ calls }) => calls.filter((call) => !call.isOver && call.machine === machine));
    if (open.length > slots.total)
      report(`${machine.name} has ${open.length} calls open, at most ${slots.total}`);
    for (const [url, those] of Map.groupBy(open, (call) => call.url))
      if (those.length > slots.perAdapter) report(`${machine.name} has ${those.length} calls open to ${url}`);
  };

  /** By when something that was due has to have come about, given what stood in its way. */
  const dueBy = (due: number): number => {
    let base = due;
    for (const { from, to } of violations.toSorted((one, other) => one.from - other.from))
      if (from <= base + cutMs) base = Math.max(base, to);
    return base + cutMs;
  };
  const checkPlan = (plan: StoredPlan): void => {
    const ended = plan.endedAt ?? Infinity;
    if (ended > dueBy(plan.row.deadlineAt.getTime() - epochMs))
      report(
        `${plan.row.id} accepted at ${plan.acceptedAt.toFixed(0)} ended at ${ended.toFixed(0)}, after its deadline`,
      );
    const forced = plan.terminations.find(({ mode }) => mode === "forced");
    if (forced && ended > dueBy(forced.at))
      report(`${plan.row.id} ended at ${ended.toFixed(0)}, terminated by force at ${forced.at.toFixed(0)}`);
    if (plan.endedAt === null) return;
    const last = new Map(plan.events.map(({ id, status }) => [id, status]));
    for (const task of plan.tasks.values())
      if (last.get(task.taskId) !== task.status)
        report(`${task.idempotencyKey} is ${task.status}, its last event says ${last.get(task.taskId)}`);
    if (plan.events.at(-1)?.id !== plan.row.id)
      report(`the events of ${plan.row.id} do not end with its own`);
  };

  return {
    breaches,
    storageWatch,
    adapterWatch,
    violation: (from: number, to = from): void => void violations.push({ from, to }),
    terminationNotified: (planId: string, machine: Machine, group: number): void => {
      const plan = storage.plans.get(planId);
      if (plan && !terminationNotified.has(plan)) terminationNotified.set(plan, { machine, group });
    },
    finish(): void {
      for (const plan of storage.plans.values()) checkPlan(plan);
    },
  };
}

/** What a task's component may be, from how the task ended and what really happened in its calls. */
function allowedComponent(
  task: StoredTask,
  { calls, firstFence }: TaskFacts,
  { acted, fence }: { acted: boolean; fence: number },
): (string | null)[] {
  if (task.status === "COMPLETED") return [task.action === "PROVISION" ? "DEPLOYED" : "NOT_DEPLOYED"];
  const wasTried = task.status === "FAILED" || task.status === "TERMINATED";
  if (!wasTried || task.intentAt === null) return [task.componentBefore];
  const isRefused = task.componentBefore === null && calls.at(-1)?.wasRefused === true;
  const doubtful = isRefused ? calls.slice(0, -1) : calls;
  if (acted && !isRefused) return ["CORRUPT"];
  if (doubtful.some((call) => call.hasArrived && !call.wasUntouched)) return ["CORRUPT"];
  // Between two claims nobody knows what a call has done.
  return firstFence === fence ? [task.componentBefore] : [task.componentBefore, "CORRUPT"];
}
