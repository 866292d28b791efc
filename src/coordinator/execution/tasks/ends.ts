/** Ends tasks: writes their final status and the resulting status of the component. */
import type { Done, Refused, Validated } from "../../adapters/protocol/answers.ts";
import { complaintText, type Complaint } from "../../adapters/protocol/parse-refusal.ts";
import { asInfo, isOptional, phaseOf, step, type PlanRun, type Step, type TaskState } from "./plan-run.ts";
import { taskKinds } from "./task-kinds.ts";
import type { AdapterLogLine } from "../store.ts";
import type { Info, LogLine, TaskRow } from "../types.ts";

const elapsed = (run: PlanRun, task: TaskState): string =>
  `${((run.now().getTime() - (task.startedAt?.getTime() ?? run.now().getTime())) / 1000).toFixed(1)} s`;

export async function succeed(
  run: PlanRun,
  task: TaskState,
  done: Pick<Done, "result" | "info" | "updates" | "logs">,
): Promise<void> {
  const { becomes, operation, changesAccess } = taskKinds[task.action];
  const info = asInfo(done.info);
  const result = resultOf(task, done);
  const drops = task.snapshot?.members.some(({ dropped, closed }) => dropped ?? closed) ?? false;
  await step(run, task, "succeed", {
    stoppedAt: run.now(),
    info,
    mayHaveActed: false,
    ...(result === undefined ? {} : { result }),
    ...(becomes
      ? { component: { status: becomes, info, lastOperation: { operation, status: "Successful" } } }
      : {}),
    ...(changesAccess || drops ? { changesAccess: true } : {}),
    logLines: freshLogs(task, done.logs, run.now()),
    logLine: { severity: "INFO", message: `${label(task)} completed in ${elapsed(run, task)}.` },
  });
}

const resultOf = (task: TaskState, done: Pick<Done, "result" | "updates">): string | undefined =>
  task.action === "REVERSE_PROVISION" ? JSON.stringify(done.updates ?? {}) : done.result;

/** Ends a validation by its verdict. */
export async function conclude(run: PlanRun, task: TaskState, verdict: Validated): Promise<void> {
  const { valid, logs } = verdict;
  if (valid) await succeed(run, task, { info: null, logs });
  else await fail(run, task, complaintText(verdict), { logs, info: complaintInfo(verdict) });
}

/** Fails a task whose call the adapter refused; its problems and solutions are stored with the task. */
export const failRefused = (
  run: PlanRun,
  task: TaskState,
  answer: Refused,
  more: { refused?: boolean } = {},
): Promise<void> => fail(run, task, answer.message, { ...more, info: complaintInfo(answer) });

const complaintInfo = ({ userMessage, problems, solutions }: Complaint): Info => ({
  problems,
  solutions,
  ...(userMessage === undefined ? {} : { userMessage }),
});

interface FailedAs {
  logs?: Done["logs"];
  info?: Info;
  refused?: boolean;
  /** The adapter gave no usable answer. */
  unanswered?: boolean;
}

/** Fails the task. Its component becomes CORRUPT unless no call can have reached the adapter. */
export async function fail(
  run: PlanRun,
  task: TaskState,
  why: string,
  { logs = [], info, refused, unanswered }: FailedAs = {},
): Promise<void> {
  const aside = isOptional(task) ? ", which does not stop the plan" : "";
  await step(run, task, "fail", {
    stoppedAt: run.now(),
    result: why,
    ...isOpen(task),
    ...(info ? { info } : {}),
    ...(refused ? { refused } : {}),
    ...(unanswered ? { unanswered } : {}),
    ...corruption(task),
    logLines: freshLogs(task, logs, run.now()),
    logLine: {
      severity: isOptional(task) ? "WARNING" : "ERROR",
      message: `${label(task)} failed${aside}: ${why}`,
    },
  });
}

/** The failure message of an end that is not COMPLETED; the adapter's result, if it has one. */
export function failureOf({ status, result }: Done): string {
  if (status === "FAILED") return result ?? "The adapter answered FAILED.";
  const why = "The adapter stopped the work although nobody had asked it to";
  return result === undefined ? `${why}.` : `${why}: ${result}`;
}

export async function endTerminated(run: PlanRun, task: TaskState, why: string): Promise<void> {
  await step(run, task, "terminate", {
    stoppedAt: run.now(),
    result: why,
    ...isOpen(task),
    ...corruption(task),
    logLine: { severity: "WARNING", message: `${label(task)} was terminated: ${why}` },
  });
}

/** Ends a task whose plan is cut: a deadline fails it, a forced termination terminates it. */
export async function endCut(run: PlanRun, task: TaskState): Promise<void> {
  if (run.ending === "deadline") await fail(run, task, "The time limit of the operation ran out.");
  else
    await endTerminated(
      run,
      task,
      "The plan was terminated by force while the adapter may have been at work.",
    );
}

/** Whether the task is added to the ledger of unknown outcomes when the plan ends. */
const isOpen = (task: TaskState): Pick<Step, "mayHaveActed"> => ({
  mayHaveActed: task.mayHaveActed && task.outcomeKnown !== true,
});

export function corruption(task: Pick<TaskRow, "action" | "mayHaveActed">): Pick<Step, "component"> {
  const { becomes, operation } = taskKinds[task.action];
  if (!becomes || !task.mayHaveActed) return {};
  return { component: { status: "CORRUPT", info: null, lastOperation: { operation, status: "Failed" } } };
}

export const label = (task: Pick<TaskRow, "action" | "componentName" | "componentId">): string =>
  `${taskKinds[task.action].noun} ${task.componentName ?? task.componentId ?? "the unit"}`;

/** Adapter log lines stored per task, and characters per line. */
export const maxLogLines = 1_000;
const longestLine = 4_000;

/**
 * The log lines of an answer that are not stored yet. Adapters may send their whole log with each answer or only what is
 * new; equal lines are stored once. `seenLogs` of the task is brought up to date.
 */
export function freshLogs(
  task: Pick<TaskState, "taskId" | "action" | "seenLogs">,
  logs: Done["logs"],
  at: Date,
): LogLine[] {
  const fresh: LogLine[] = [];
  const add = (
    severity: LogLine["severity"],
    message: string,
    adapter: Pick<LogLine, "adapterTimestamp" | "adapterPhase"> = {},
  ): void => {
    fresh.push({ at, severity, taskId: task.taskId, phase: `${phaseOf(task)}:ADAPTER`, message, ...adapter });
  };
  for (const { timestamp, level, message, phase } of logs) {
    const text = message.length > longestLine ? `${message.slice(0, longestLine)}…` : message;
    const key = logKey({ timestamp, level, message: text, phase });
    if (task.seenLogs.size > maxLogLines || task.seenLogs.has(key)) continue;
    task.seenLogs.add(key);
    if (task.seenLogs.size > maxLogLines) {
      add("WARNING", `The adapter sent more than ${maxLogLines} lines for this task; the rest is left out.`);
    } else {
      add(level, text, {
        ...(timestamp === undefined ? {} : { adapterTimestamp: timestamp }),
        ...(phase === undefined ? {} : { adapterPhase: phase }),
      });
    }
  }
  return fresh;
}

interface KeyParts {
  level: string;
  timestamp: string | undefined;
  phase: string | undefined;
  message: string;
}

const logKey = ({ level, timestamp, phase, message }: KeyParts): string =>
  `${level}|${timestamp ?? ""}|${phase ?? ""}|${message}`;

/** The key of a stored log line. Older versions wrote the adapter's time into the message. */
export function storedLogKey({
  severity: level,
  message,
  adapterTimestamp,
  adapterPhase,
}: AdapterLogLine): string {
  const older = adapterTimestamp === null ? /^\[(\d{4}-[^\]]{10,30})\] (.*)$/s.exec(message) : null;
  const phase = adapterPhase ?? undefined;
  if (older) return logKey({ level, timestamp: older[1], phase, message: older[2] ?? "" });
  return logKey({ level, timestamp: adapterTimestamp ?? undefined, phase, message });
}
