/**
 * Drives one claimed plan to its end: starts tasks whose predecessors have completed, stage by stage, and
 * writes the plan's end when no task is left to run. All durable state is in the database.
 */
import { setMaxListeners } from "node:events";
import { listSome } from "../../platform/lib/list-some.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import { linesOfOrigin } from "../../platform/lib/request-lines.ts";
import type { DrivenWork } from "../../platform/run-engine/driven-work.ts";
import { inSpan, type SpanStart } from "../../platform/telemetry/spans.ts";
import type { AdapterClient } from "../adapters/protocol/client.ts";
import { callsAdapter } from "./tasks/addresses.ts";
import { fail, storedLogKey } from "./tasks/ends.ts";
import type { Claim, TaskChange } from "./group-store.ts";
import { LostClaim, type GroupWriter } from "./group-writer.ts";
import { timesOf } from "./tasks/limits.ts";
import { taskEvent } from "./plan-events.ts";
import {
  endingStrength,
  Interrupted,
  isOptional,
  secondsSince,
  type Ending,
  type ExecutionLimits,
  type PolicyStage,
  type PlanRun,
  type TaskState,
} from "./tasks/plan-run.ts";
import type { PlanMetrics } from "../plan-metrics.ts";
import type { ServiceClient } from "../adapters/protocol/service-client.ts";
import type { PollPace } from "./tasks/poll-pace.ts";
import { createBodyBuilder } from "./tasks/request-body.ts";
import type { Slots } from "./slots.ts";
import type { PlanRows } from "./store.ts";
import { runPolicyTask } from "./policies/policy-task.ts";
import { taskKinds } from "./tasks/task-kinds.ts";
import { runTask } from "./tasks/task.ts";
import { isTerminal, nextTaskStatus, planOutcome } from "./transitions.ts";
import { stages, type PlanRow, type SnapshotMember, type TaskRow, type TerminateMode } from "./types.ts";

export interface Engine {
  database: Database;
  writer: GroupWriter;
  slots: Slots;
  adapters: AdapterClient;
  services: ServiceClient;
  policies: PolicyStage;
  metrics: PlanMetrics;
  limits: ExecutionLimits;
  pace: PollPace;
  log: Logger;
  now: () => Date;
}

/**
 * Dependencies of a driven plan: the engine, with the rows behind an interface that a simulation can
 * implement.
 */
export type Drive = Omit<Engine, "database"> & { rows: PlanRows };

/** Handle of a plan that this process drives. */
export interface DrivenPlan extends DrivenWork {
  terminate(mode: TerminateMode): void;
  /** Call when an adapter's registration has changed: registrations are read again before the next call. */
  registrationsChanged(): void;
  tasks(): Iterable<TaskState>;
}

export function drivePlan(engine: Drive, plan: PlanRow): DrivenPlan {
  const run = createRun(engine, plan);
  const driveOn = (): Promise<"over" | "unfinished"> =>
    drive(engine, run).catch((error: unknown) => {
      if (!(error instanceof LostClaim)) throw error;
      engine.metrics.claimLost();
      return "over" as const;
    });
  const done = inSpan("plan", planSpan(plan), (span) => {
    run.span = span;
    return driveOn();
  });
  return {
    done,
    terminate: (mode) => endWith(run, mode),
    handOver: () => handOver(run),
    registrationsChanged: () => {
      run.registrations.areStale = true;
    },
    halt: () => run.halt.abort(),
    tasks: () => run.tasks.values(),
  };
}

function createRun(engine: Drive, plan: PlanRow): PlanRun {
  const claim: Claim = {
    planId: plan.id,
    fence: plan.fence,
    writeSeq: plan.writeSeq,
    onTerminate: (mode) => endWith(run, mode),
  };
  const halt = new AbortController();
  const cut = new AbortController();
  const endsCalls = AbortSignal.any([halt.signal, cut.signal]);
  // Every call and pause of the plan listens to these signals, so many listeners are not a leak.
  const quiet = new AbortController();
  const noMoreStarts = new AbortController();
  for (const { signal } of [halt, cut, quiet, noMoreStarts]) setMaxListeners(0, signal);
  setMaxListeners(0, endsCalls);
  const decided = Promise.withResolvers<void>();
  // A plan of one task has nobody who waits for it.
  decided.promise.catch(() => undefined);
  const run: PlanRun = {
    plan,
    claim,
    tasks: new Map(),
    bodies: createBodyBuilder(plan.request, []),
    onSucceeding: () => {},
    ending: null,
    isTerminated: false,
    quiet,
    halt,
    cut,
    endsCalls,
    noMoreStarts,
    limits: engine.limits,
    pace: engine.pace,
    registrations: {
      areStale: false,
      reading: Promise.resolve(),
      read: (environment, ids) => engine.rows.readAdapterUrls(environment, ids),
    },
    adapters: engine.adapters,
    services: engine.services,
    policies: {
      ...engine.policies,
      readDeployed: () => engine.rows.readDeployed(plan),
      decided,
    },
    writer: engine.writer,
    metrics: engine.metrics,
    span: undefined,
    log: linesOfOrigin(plan, engine.log),
    now: engine.now,
  };
  return run;
}

/** One of the trace of the request that started the plan, whatever process drives it. */
const planSpan = (plan: PlanRow): SpanStart<"plan"> => ({
  name: `plan ${plan.action}`,
  parent: plan.traceparent,
  attributes: () => ({
    "plinth.plan.id": plan.id,
    "plinth.plan.kind": plan.kind,
    "plinth.plan.action": plan.action,
    "plinth.plan.claim": plan.fence,
    "plinth.plan.status": plan.status,
    "plinth.unit.id": plan.unitId,
    "plinth.environment": plan.environment,
  }),
});

const taskSpan = ({ plan, span }: PlanRun, task: TaskState): SpanStart<"task"> => ({
  name: `task ${task.action}`,
  parent: span?.traceparent ?? plan.traceparent,
  attributes: () => ({
    "plinth.plan.id": plan.id,
    "plinth.task.id": task.taskId,
    "plinth.task.action": task.action,
    "plinth.component.id": task.componentId,
    "plinth.adapter.id": task.adapterId,
  }),
});

function endWith(run: PlanRun, ending: Ending): void {
  if (ending !== "deadline") run.isTerminated = true;
  if (run.ending && endingStrength[ending] <= endingStrength[run.ending]) return;
  run.ending = ending;
  // The grace time counts from the forced request, not from an earlier safe one.
  if (ending === "forced" && run.plan.terminateMode !== "forced") run.plan.terminateAt = run.now();
  run.noMoreStarts.abort();
  if (ending !== "safe") run.cut.abort();
}

function handOver(run: PlanRun): void {
  run.noMoreStarts.abort();
  run.quiet.abort();
}

async function drive(engine: Drive, run: PlanRun): Promise<"over" | "unfinished"> {
  await load(engine, run);
  const { terminateMode } = run.plan;
  if (terminateMode) endWith(run, terminateMode);
  const hasBegun = [...run.tasks.values()].some(({ startedAt }) => startedAt !== null);
  // One that has waited all the time may be past its time limit, which then is not why it ends.
  const disarm = terminateMode && !hasBegun ? undefined : armDeadline(run);
  try {
    await schedule(engine, run);
  } finally {
    disarm?.();
  }
  const isOpen = [...run.tasks.values()].some((task) => !isTerminal(task.status));
  if (run.quiet.signal.aborted && isOpen) return "unfinished";
  await finish(engine, run);
  return "over";
}

function armDeadline(run: PlanRun): () => void {
  const leftMs = run.plan.deadlineAt.getTime() - run.now().getTime();
  if (leftMs <= 0) endWith(run, "deadline");
  const deadline = setTimeout(() => endWith(run, "deadline"), Math.min(Math.max(0, leftMs), 2 ** 31 - 1));
  deadline.unref();
  return () => clearTimeout(deadline);
}

async function load(engine: Drive, run: PlanRun): Promise<void> {
  for (const row of await engine.rows.loadTasks(run.plan.id, run.plan.environment)) {
    const times = timesOf(run.limits, { environment: run.plan.environment, adapterId: row.adapterId });
    const registeredUrl = callsAdapter(row) ? (row.registeredUrl ?? null) : null;
    run.tasks.set(row.taskId, { ...row, registeredUrl, ...times, seenLogs: new Set() });
  }
  run.bodies = createBodyBuilder(run.plan.request, retiredOf(run.plan, [...run.tasks.values()]));
  if ([...run.tasks.values()].some((task) => task.token !== null && !isTerminal(task.status))) {
    await loadSeenLogs(engine, run);
  }
}

/** Deployed snapshots of what the plan undeploys. */
export const retiredOf = (
  { unitKey }: Pick<PlanRow, "unitKey">,
  tasks: readonly TaskRow[],
): SnapshotMember[] =>
  tasks
    .flatMap((task) =>
      task.action === "UNPROVISION" && task.snapshot ? task.snapshot.members.slice(0, 1) : [],
    )
    .filter((member) => member.key !== unitKey);

async function loadSeenLogs(engine: Drive, run: PlanRun): Promise<void> {
  for (const line of await engine.rows.readAdapterLogs(run.plan.id)) {
    run.tasks.get(line.task)?.seenLogs.add(storedLogKey(line));
  }
}

/** Runs tasks until none runs and none may start. */
async function schedule(engine: Drive, run: PlanRun): Promise<void> {
  const graph = createGraph(run.tasks);
  let active = 0;
  let failure: { error: unknown } | null = null;
  await new Promise<void>((allDone) => {
    const launch = (ready: TaskState[]): void => {
      for (const task of ready) {
        active++;
        runOne(engine, run, task).then(
          () => {
            active--;
            if (active === 0) allDone();
          },
          (error: unknown) => {
            active--;
            failure ??= { error };
            run.halt.abort();
            handOver(run);
            if (active === 0) allDone();
          },
        );
      }
    };
    run.onSucceeding = (task) => {
      if (!failure) launch(graph.release(task));
    };
    launch(graph.initial());
    if (active === 0) allDone();
  });
  if (failure) throw (failure as { error: unknown }).error;
}

/** Runs the task to a terminal state, or leaves it unfinished when the plan is handed over. */
async function runOne(engine: Drive, run: PlanRun, task: TaskState): Promise<void> {
  const releaseSlot = await takeSlot(engine, run, task);
  if (!releaseSlot) return;
  task.releaseSlot = releaseSlot;
  await inSpan("task", taskSpan(run, task), async (span) => {
    task.traceparent = span?.traceparent;
    try {
      await runInSlot(engine, run, task);
    } finally {
      releaseSlot();
      span?.set({ "plinth.task.status": task.status, "plinth.task.attempts": task.attempts });
      if (task.status === "FAILED") span?.fail(task.status);
    }
  });
}

async function runInSlot(engine: Drive, run: PlanRun, task: TaskState): Promise<void> {
  try {
    await (taskKinds[task.action].call === "policies" ? runPolicyTask(run, task) : runTask(run, task));
  } catch (error) {
    if (error instanceof Interrupted) return;
    if (error instanceof LostClaim) throw error;
    if (isTerminal(task.status) || !isOurDefect(error)) throw error;
    // A defect of the engine must not block the plan: the task fails with a reason, the details are in the
    // log.
    run.log.error(
      { planId: run.plan.id, taskId: task.taskId, error },
      "a task failed with an internal error",
    );
    if (task.status === "WAITING") task.mayHaveActed = false;
    await fail(run, task, "An internal error ended this task; the server's log tells more.");
  }
}

/**
 * Null when the task may not start any more. A task that is resumed after a crash takes a slot without
 * waiting.
 */
async function takeSlot(engine: Drive, run: PlanRun, task: TaskState): Promise<(() => void) | null> {
  const { signal } = run.noMoreStarts;
  // Evaluations have limits of their own, and a task that waits for one must not hold a slot.
  if (taskKinds[task.action].call === "policies")
    return signal.aborted && task.status === "WAITING" ? null : noSlot;
  const { environment, unitKey, id } = run.plan;
  // For fairness, a plan without a unit counts as a unit of its own.
  const unit = `${environment}|${unitKey ?? id}`;
  const slotRequest = { unit, environment, adapterId: task.adapterId, adapterUrl: task.adapterUrl ?? "" };
  if (task.status !== "WAITING") return engine.slots.occupy(slotRequest);
  const releaseSlot = await engine.slots.acquire(slotRequest, signal).catch(() => null);
  if (releaseSlot && signal.aborted) releaseSlot();
  return signal.aborted ? null : releaseSlot;
}

const noSlot = (): void => undefined;

const isOurDefect = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;

function createGraph(tasks: Map<string, TaskState>) {
  const dependants = new Map<string, TaskState[]>();
  const missing = new Map<string, number>();
  const openByStage = new Map<number, number>();
  for (const task of tasks.values()) {
    if (task.status !== "COMPLETED") openByStage.set(task.stage, (openByStage.get(task.stage) ?? 0) + 1);
    let count = 0;
    for (const id of task.dependsOn) {
      const before = tasks.get(id);
      if (!before || before.status === "COMPLETED") continue;
      count++;
      const list = dependants.get(id);
      if (list) list.push(task);
      else dependants.set(id, [task]);
    }
    missing.set(task.taskId, count);
  }
  const stageNow = (): number =>
    Math.min(...[...openByStage].filter(([, open]) => open > 0).map(([stage]) => stage));
  const mayStart = (task: TaskState, stage: number): boolean =>
    task.status === "WAITING" && task.stage === stage && missing.get(task.taskId) === 0;
  return {
    /** Tasks to resume after a crash, and tasks that may start. */
    initial(): TaskState[] {
      const stage = stageNow();
      const all = [...tasks.values()];
      return [...all.filter(isResumable), ...all.filter((task) => mayStart(task, stage))];
    },
    /** Tasks that may start now that this one has succeeded; called once per task. */
    release(task: TaskState): TaskState[] {
      const open = (openByStage.get(task.stage) ?? 1) - 1;
      openByStage.set(task.stage, open);
      for (const after of dependants.get(task.taskId) ?? []) {
        missing.set(after.taskId, (missing.get(after.taskId) ?? 1) - 1);
      }
      const stage = stageNow();
      const candidates = open === 0 ? [...tasks.values()] : (dependants.get(task.taskId) ?? []);
      return candidates.filter((candidate) => mayStart(candidate, stage));
    },
  };
}

const isResumable = (task: TaskState): boolean => task.status === "RUNNING" || task.status === "TERMINATING";

async function finish(engine: Drive, run: PlanRun): Promise<void> {
  const { isTerminated } = run;
  const left = [...run.tasks.values()].filter((task) => task.status === "WAITING");
  const event = isTerminated ? "terminate" : "skip";
  const at = engine.now();
  const why = isTerminated ? "The plan was terminated before this task began." : skipReason(run);
  const changes: TaskChange[] = [];
  const events = [];
  for (const task of left) {
    const status = nextTaskStatus(task.status, event);
    if (!status) continue;
    changes.push({ taskId: task.taskId, from: task.status, status, result: why, stoppedAt: at });
    const { taskId: id, action, componentId } = task;
    events.push(taskEvent(at, { id, status, action, componentId, stopTime: at.toISOString(), message: why }));
    task.status = status;
  }
  if (changes.length > 0) await engine.writer.write(run.claim, { changes, events });
  const tasks = [...run.tasks.values()];
  const counting = tasks.filter((task) => task.status !== "FAILED" || !isOptional(task));
  const status = planOutcome(
    counting.map((task) => task.status),
    isTerminated,
  );
  const reason = status === "COMPLETED" ? null : endReason(run);
  run.span?.set({ "plinth.plan.status": status });
  if (status === "FAILED") run.span?.fail(status);
  const reached = tasks.some((task) => task.stage >= stages.execute && task.startedAt);
  const adoptDescriptor = reached || status === "COMPLETED";
  const isBlocked = counting.some((task) => task.status === "FAILED" && task.stage === stages.publish);
  const endedAt = engine.now();
  const isOurs = await engine.rows.endPlan(run.plan, {
    status,
    reason,
    at: endedAt,
    adoptDescriptor,
    blockedByService: isBlocked ? true : status === "COMPLETED" ? false : null,
  });
  if (!isOurs) return engine.metrics.claimLost();
  run.log.info({ planId: run.plan.id, action: run.plan.action, status, reason }, "a plan has ended");
  for (const task of left) engine.metrics.taskEnded({ ...task, seconds: null });
  engine.metrics.planEnded({ ...run.plan, status, seconds: secondsSince(firstStart(tasks), endedAt) });
}

function firstStart(tasks: readonly TaskState[]): Date | null {
  const starts = tasks.flatMap(({ startedAt }) => startedAt?.getTime() ?? []);
  return starts.length === 0 ? null : new Date(starts.reduce((least, each) => Math.min(least, each)));
}

const skipReason = (run: PlanRun): string =>
  run.ending === "deadline"
    ? "The time limit of the operation ran out before this task began."
    : "A task that this one needs did not complete.";

function endReason(run: PlanRun): string {
  if (run.plan.terminateReason) return run.plan.terminateReason;
  if (run.ending === "safe") return "Terminated on request; running tasks were let finish.";
  if (run.ending === "forced") return "Terminated by force on request.";
  if (run.isTerminated) return "Terminated on request; what still ran was cut at the operation's time limit.";
  const failed = [...run.tasks.values()].filter((task) => task.status === "FAILED" && !isOptional(task));
  const names = listSome(failed, 5, (task) => {
    const name = task.componentName ?? task.componentId ?? task.taskId;
    return task.action === "POLICY_VALIDATE_COMPONENT" ? `policies of ${name}` : name;
  });
  const head = run.ending === "deadline" ? "The time limit of the operation ran out. " : "";
  return `${head}Failed: ${names}.`;
}
