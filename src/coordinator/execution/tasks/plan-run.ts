/** The in-memory state of a plan that this worker drives. */
import type { NewEvent } from "../../../platform/events/events.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { LiveSpan } from "../../../platform/telemetry/spans.ts";
import type { Policies } from "../../ports.ts";
import type { AdapterClient } from "../../adapters/protocol/client.ts";
import type { PlanMetrics } from "../../plan-metrics.ts";
import type { Claim, TaskChange } from "../group-store.ts";
import type { GroupWriter } from "../group-writer.ts";
import type { LimitOverrides, TaskTimes } from "./limits.ts";
import { logEvent, taskEvent } from "../plan-events.ts";
import type { ServiceClient } from "../../adapters/protocol/service-client.ts";
import type { BodyBuilder, KnownInfo } from "./request-body.ts";
import { taskKinds } from "./task-kinds.ts";
import type { PollPace } from "./poll-pace.ts";
import { isTerminal, nextTaskStatus, type TaskEvent } from "../transitions.ts";
import { stages, type Info, type LogLine, type PlanRow, type TaskRow, type TaskStatus } from "../types.ts";

export interface ExecutionLimits extends LimitOverrides {
  callTimeoutMs: number;
  taskTimeoutMs: number;
  pollInitialMs: number;
  pollFactor: number;
  pollMaxMs: number;
  callAttempts: number;
  /** How long connection attempts to an adapter are repeated. */
  connectRetryMs: number;
  retryDelayMs: number;
  terminateGraceMs: number;
}

/** A task with the timeouts of its adapter and environment. */
export interface TaskState extends TaskRow, TaskTimes {
  /** Trace context of its span, for its calls; without one they have the plan's. */
  traceparent?: string | undefined;
  /** Releases the task's slot; idempotent. */
  releaseSlot?: () => void;
  /**
   * The adapter has reported how its work ended; otherwise the outcome of a call that may have acted is
   * unknown.
   */
  outcomeKnown?: boolean;
  /** The next attempt of its call is waited for. */
  isRetrying?: boolean;
  /** Keys of adapter log lines that are already in the plan's log. */
  seenLogs: Set<string>;
}

/** Why no new task may start. `deadline` and `forced` also end running tasks; `safe` lets them finish. */
export type Ending = "safe" | "forced" | "deadline";

/** An ending replaces an earlier one only when it is stronger. */
export const endingStrength = { safe: 0, deadline: 1, forced: 2 } as const;

/** The registrations of a plan's adapters, as last read. */
export interface Registrations {
  /** A registration may have changed since the last read. */
  areStale: boolean;
  /** The last read; every call waits for it. */
  reading: Promise<void>;
  /** By adapter id, the addresses of enabled registrations. */
  read(environment: string, adapterIds: string[]): Promise<Map<string, string>>;
}

/** The policies that a plan is checked against. */
export interface PolicyStage {
  /** Undefined where governance is off. */
  evaluate: Policies["evaluate"] | undefined;
  /** Whether plans fail, or go on with a warning, while the policies can't be evaluated. */
  onUnavailable: "block" | "warn";
}

export interface PlanRun {
  plan: PlanRow;
  claim: Claim;
  tasks: Map<string, TaskState>;
  bodies: BodyBuilder;
  ending: Ending | null;
  /** A termination was requested; it decides the status even when the deadline passes as well. */
  isTerminated: boolean;
  /** Aborted to hand the plan over: ends pauses and waits for slots; running calls may finish. */
  quiet: AbortController;
  /** Aborted when the claim is lost, or the time for the handover is up: ends calls too. */
  halt: AbortController;
  /** Aborted by a forced termination or the deadline: ends calls, pauses and waits for slots. */
  cut: AbortController;
  /** Aborted when no task may start any more: ends waits for slots. */
  noMoreStarts: AbortController;
  /** Aborted with `halt` or `cut`; created once, because each call listens to it. */
  endsCalls: AbortSignal;
  /**
   * Called when the success of a task is in a group but not committed yet. Its successors may already write
   * their intents: these join the same group or a later one, and a refused write refuses all later ones.
   */
  onSucceeding: (task: TaskState) => void;
  limits: ExecutionLimits;
  pace: PollPace;
  registrations: Registrations;
  adapters: AdapterClient;
  services: ServiceClient;
  policies: PolicyStage & {
    /** What is deployed of the unit before this plan; null when nothing is. */
    readDeployed(): Promise<object | null>;
    /**
     * Fulfilled once the task that evaluates has stored its verdict, or has ended without one; rejected with what was thrown
     * instead.
     */
    decided: PromiseWithResolvers<void>;
  };
  writer: GroupWriter;
  metrics: PlanMetrics;
  /** Of this claim. */
  span: LiveSpan<"plan"> | undefined;
  log: Logger;
  now: () => Date;
}

/** What bodies are made of. */
export interface BodySource extends Pick<PlanRun, "plan" | "bodies"> {
  tasks: ReadonlyMap<string, TaskRow>;
}

/** Unwinds a task without changing its state: another worker resumes it from its row. */
export class Interrupted extends Error {}

export interface Step extends Partial<Omit<TaskChange, "taskId" | "from" | "status">> {
  /** A line for the log of the plan. */
  logLine?: Pick<LogLine, "severity" | "message"> | undefined;
  logLines?: LogLine[];
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
  const { logLine, logLines = [], ...fields } = change;
  const at = run.now();
  const events: NewEvent[] = logLines.map(logEvent);
  if (logLine) events.push(logEvent({ ...logLine, at, taskId: task.taskId, phase: phaseOf(task) }));
  if (status !== task.status)
    events.push(statusEvent(task, status, { at, change: fields, message: logLine?.message }));
  const written = run.writer.write(run.claim, {
    changes: [{ ...fields, taskId: task.taskId, from: task.status, status }],
    events,
  });
  if (change.info !== undefined) task.info = change.info;
  // The adapter has answered: its slot is free, and the next task's intent can join the same group.
  if (isTerminal(status)) task.releaseSlot?.();
  if (event === "succeed") run.onSucceeding(task);
  await written;
  task.status = status;
  if (change.attempts !== undefined) task.attempts = change.attempts;
  if (change.token !== undefined) task.token = change.token;
  if (change.adapterUrl !== undefined) task.adapterUrl = change.adapterUrl;
  if (change.startedAt) task.startedAt = change.startedAt;
  task.isRetrying = false;
  if (isTerminal(status)) run.metrics.taskEnded({ ...task, seconds: secondsSince(task.startedAt, at) });
}

/** Null where nothing has begun. */
export const secondsSince = (start: Date | null, at: Date): number | null =>
  start && (at.getTime() - start.getTime()) / 1_000;

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

export const phaseOf = ({ action }: Pick<TaskRow, "action">): string => taskKinds[action].phase;

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

/** What has become of the direct and indirect predecessors of a task, all of which have completed. */
export function predecessorInfo(run: BodySource, task: TaskRow): Map<string, KnownInfo> {
  // A notice is sent after all tasks of the execute stage, so all of them are its predecessors.
  if (task.stage > stages.execute) return knownOf([...run.tasks.values()]);
  const before = new Set<TaskRow>();
  const stack = [...task.dependsOn];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const found = run.tasks.get(id);
    if (!found || before.has(found)) continue;
    before.add(found);
    stack.push(...found.dependsOn);
  }
  return knownOf([...before]);
}

function knownOf(tasks: TaskRow[]): Map<string, KnownInfo> {
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
