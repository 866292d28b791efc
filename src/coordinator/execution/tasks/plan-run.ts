/** What one worker holds in memory of a plan that it drives. */
import type { NewEvent } from "../../../platform/events/events.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { AdapterClient } from "../../adapter-protocol/client.ts";
import type { Claim, TaskChange } from "../record/group-store.ts";
import type { GroupWriter } from "../record/group-writer.ts";
import type { LimitOverrides, TaskTimes } from "../limits.ts";
import { logEvent, taskEvent } from "../record/plan-events.ts";
import type { ServiceClient } from "../../external-services/client.ts";
import type { Registrations } from "./addresses.ts";
import type { BodyBuilder, KnownInfo } from "./request-body.ts";
import { taskKinds } from "./task-kinds.ts";
import type { PollPace } from "../poll-pace.ts";
import { isTerminal, nextTaskStatus, type TaskEvent } from "../record/transitions.ts";
import {
  stages,
  type Info,
  type LogLine,
  type PlanRow,
  type TaskRow,
  type TaskStatus,
} from "../record/types.ts";

export interface ExecutionLimits extends LimitOverrides {
  callTimeoutMs: number;
  taskTimeoutMs: number;
  pollInitialMs: number;
  pollFactor: number;
  pollMaxMs: number;
  callAttempts: number;
  /** How long an adapter is tried again that no connection can be made to. */
  connectRetryMs: number;
  retryDelayMs: number;
  terminateGraceMs: number;
}

/** With the times that hold for its adapter and environment. */
export interface TaskState extends TaskRow, TaskTimes {
  /** Frees the place that the task holds among those at work; may be called again. */
  giveSlotBack?: () => void;
  /** The adapter itself has said how its work ended; without that a call that may have acted has no known outcome. */
  outcomeKnown?: boolean;
  /** Adapter log lines that are in the log already. */
  seenLogs: Set<string>;
}

/** Why no new task may start. `deadline` and `forced` also end what runs; `safe` lets it finish. */
export type Ending = "safe" | "forced" | "deadline";

/** A later ending replaces an earlier one only when it is stronger. */
export const endingStrength = { safe: 0, deadline: 1, forced: 2 } as const;

export interface PlanRun {
  plan: PlanRow;
  claim: Claim;
  tasks: Map<string, TaskState>;
  bodies: BodyBuilder;
  /** Some task of the plan has returned an info, so that bodies of later calls may have to carry it. */
  hasInfo: boolean;
  ending: Ending | null;
  /** Somebody asked for the end, so that is how it shows, even when the deadline came as well. */
  isTerminated: boolean;
  /** Aborted to hand the plan over: ends pauses and waits for slots; calls under way may finish. */
  quiet: AbortController;
  /** Aborted when our writes would be refused, or the time to hand over is up: ends calls too. */
  halt: AbortController;
  /** Aborted by a forced termination or the deadline: ends calls, pauses and waits for slots. */
  cut: AbortController;
  /** Aborted when no task may start any more, for whatever reason: ends waits for slots. */
  noMoreStarts: AbortController;
  /** Aborted with `halt` or `cut`; made once, since each call listens to it. */
  endsCalls: AbortSignal;
  /**
   * Called when the success of a task has joined a group but is not committed yet. Its successors may write their
   * intent now: it joins the same group or a later one, and what is refused takes everything after it along.
   */
  onSucceeding: (task: TaskState) => void;
  limits: ExecutionLimits;
  pace: PollPace;
  registrations: Registrations;
  adapters: AdapterClient;
  services: ServiceClient;
  writer: GroupWriter;
  log: Logger;
  now: () => Date;
}

/** Unwinds a task without a change of its state: another worker goes on from its row. */
export class Interrupted extends Error {}

export interface Step extends Partial<Omit<TaskChange, "taskId" | "from" | "status">> {
  /** A line for the log of the plan. */
  say?: Pick<LogLine, "severity" | "message"> | undefined;
  moreLogs?: LogLine[];
}

/** Writes one transition of a task with its event and log lines, and then moves the task in memory. */
export async function step(
  run: PlanRun,
  task: TaskState,
  event: TaskEvent,
  change: Step = {},
): Promise<void> {
  const status = nextTaskStatus(task.status, event);
  if (!status) throw new Error(`The task ${task.taskId} can't ${event} while it is ${task.status}.`);
  const { say, moreLogs = [], ...fields } = change;
  const at = run.now();
  const events: NewEvent[] = moreLogs.map(logEvent);
  if (say) events.push(logEvent({ ...say, at, taskId: task.taskId, phase: phaseOf(task) }));
  if (status !== task.status)
    events.push(statusEvent(task, status, { at, change: fields, message: say?.message }));
  const written = run.writer.write(run.claim, {
    changes: [{ ...fields, taskId: task.taskId, from: task.status, status }],
    events,
  });
  if (change.info !== undefined) task.info = change.info;
  run.hasInfo ||= Boolean(change.info);
  // The adapter has answered: its place is free, and the next task's intent can join the same group.
  if (isTerminal(status)) task.giveSlotBack?.();
  if (event === "succeed") run.onSucceeding(task);
  await written;
  task.status = status;
  if (change.attempts !== undefined) task.attempts = change.attempts;
  if (change.token !== undefined) task.token = change.token;
  if (change.adapterUrl !== undefined) task.adapterUrl = change.adapterUrl;
  if (change.startedAt) task.startedAt = change.startedAt;
}

function statusEvent(
  task: TaskState,
  status: TaskStatus,
  { at, change, message }: { at: Date; change: Step; message: string | undefined },
): NewEvent {
  const start = change.startedAt ?? task.startedAt;
  return taskEvent(at, {
    id: task.taskId,
    status,
    action: task.action,
    componentId: task.componentId,
    ...(start ? { startTime: start.toISOString() } : {}),
    ...(change.stoppedAt ? { stopTime: change.stoppedAt.toISOString() } : {}),
    ...(change.component ? { componentStatus: change.component.status } : {}),
    ...(message === undefined ? {} : { message }),
  });
}

export const phaseOf = (task: TaskRow): string => taskKinds[task.action].phase;

/** Waits; throws Interrupted when the plan is handed over, and returns early when it is cut. */
export async function pause(run: PlanRun, ms: number, untilCut: boolean): Promise<void> {
  const signals = untilCut ? [run.quiet.signal, run.cut.signal] : [run.quiet.signal];
  await new Promise<void>((done) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    for (const signal of signals) signal.addEventListener("abort", end, { once: true });
    if (signals.some((signal) => signal.aborted)) end();
  });
  if (run.quiet.signal.aborted) throw new Interrupted();
}

/** What the predecessors of a task (however far) have returned in this plan. */
export function predecessorInfo(run: PlanRun, task: TaskState): Map<string, KnownInfo> {
  // A notice comes after a barrier: it tells of all that was done, with an info or without.
  if (task.stage > stages.execute) return knownOf([...run.tasks.values()]);
  if (!run.hasInfo) return new Map();
  const before = new Set<TaskState>();
  const stack = [...task.dependsOn];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const found = run.tasks.get(id);
    if (!found || before.has(found)) continue;
    before.add(found);
    stack.push(...found.dependsOn);
  }
  return knownOf([...before].filter(({ info }) => info !== null));
}

function knownOf(tasks: TaskState[]): Map<string, KnownInfo> {
  const known = new Map<string, KnownInfo>();
  for (const { action, componentKey, info } of tasks) {
    const { becomes, operation } = taskKinds[action];
    if (!becomes || componentKey === null) continue;
    known.set(componentKey, { info, lastOperation: { operation, status: "Successful" } });
  }
  return known;
}

/** A failure of the task is only a warning. */
export const isOptional = (task: TaskRow): boolean => task.details?.isBlocking === false;

export const asInfo = (info: object | null): Info | null => info as Info | null;
