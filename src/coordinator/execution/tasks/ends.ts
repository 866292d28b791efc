/** How a task ends: its state, and what its component becomes by it. */
import type { Done, Refused, Validated } from "../../adapter-protocol/answers.ts";
import { complaintText, type Complaint } from "../../adapter-protocol/parse-refusal.ts";
import { asInfo, isOptional, phaseOf, step, type PlanRun, type Step, type TaskState } from "./plan-run.ts";
import { taskKinds } from "./task-kinds.ts";
import type { AdapterLogLine } from "../record/store.ts";
import type { Info, LogLine } from "../record/types.ts";

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
    moreLogs: newAdapterLogs(run, task, done.logs),
    say: { severity: "INFO", message: `${label(task)} completed in ${elapsed(run, task)}.` },
  });
}

const resultOf = (task: TaskState, done: Pick<Done, "result" | "updates">): string | undefined =>
  task.action === "REVERSE_PROVISION" ? JSON.stringify(done.updates ?? {}) : done.result;

/** How a validation ends: its verdict is an outcome, whichever it is. */
export async function conclude(run: PlanRun, task: TaskState, verdict: Validated): Promise<void> {
  const { valid, logs } = verdict;
  if (valid) await succeed(run, task, { info: null, logs });
  else await fail(run, task, complaintText(verdict), { logs, info: complaintInfo(verdict) });
}

/** The adapter refused the call: every problem and solution that it named is kept with the task. */
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

/** A task that failed leaves its component as it was only when no call can have reached the adapter. */
export async function fail(
  run: PlanRun,
  task: TaskState,
  why: string,
  { logs = [], info, refused }: { logs?: Done["logs"]; info?: Info; refused?: boolean } = {},
): Promise<void> {
  const aside = isOptional(task) ? ", which does not stop the plan" : "";
  await step(run, task, "fail", {
    stoppedAt: run.now(),
    result: why,
    ...isOpen(task),
    ...(info ? { info } : {}),
    ...(refused ? { refused } : {}),
    ...corruption(task),
    moreLogs: newAdapterLogs(run, task, logs),
    say: {
      severity: isOptional(task) ? "WARNING" : "ERROR",
      message: `${label(task)} failed${aside}: ${why}`,
    },
  });
}

/** Why an end that is not COMPLETED fails the task, in the adapter's own words where it has any. */
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
    say: { severity: "WARNING", message: `${label(task)} was terminated: ${why}` },
  });
}

/** A task whose plan is cut: the deadline fails it, a forced termination ends it. */
export async function endCut(run: PlanRun, task: TaskState): Promise<void> {
  if (run.ending === "deadline") await fail(run, task, "The time limit of the operation ran out.");
  else
    await endTerminated(
      run,
      task,
      "The plan was terminated by force while the adapter may have been at work.",
    );
}

/** Whether its row goes into the ledger of unknown outcomes when the plan ends. */
const isOpen = (task: TaskState): Pick<Step, "mayHaveActed"> => ({
  mayHaveActed: task.mayHaveActed && task.outcomeKnown !== true,
});

function corruption(task: TaskState): Pick<Step, "component"> {
  const { becomes, operation } = taskKinds[task.action];
  if (!becomes || !task.mayHaveActed) return {};
  return { component: { status: "CORRUPT", info: null, lastOperation: { operation, status: "Failed" } } };
}

export const label = (task: TaskState): string =>
  `${taskKinds[task.action].noun} ${task.componentName ?? task.componentId ?? "the unit"}`;

/** An adapter repeats its whole log with each answer, and may never stop: each line is kept once, up to here. */
const mostLogLines = 1_000;
const longestLine = 4_000;

export function newAdapterLogs(run: PlanRun, task: TaskState, logs: Done["logs"]): LogLine[] {
  const fresh: LogLine[] = [];
  const add = (severity: LogLine["severity"], message: string, adapterTimestamp?: string): void => {
    const line = { at: run.now(), severity, taskId: task.taskId, phase: `${phaseOf(task)}:ADAPTER`, message };
    fresh.push(adapterTimestamp === undefined ? line : { ...line, adapterTimestamp });
  };
  for (const { timestamp, level, message } of logs) {
    const text = message.length > longestLine ? `${message.slice(0, longestLine)}…` : message;
    const key = logKey(timestamp, level, text);
    if (task.seenLogs.size > mostLogLines || task.seenLogs.has(key)) continue;
    task.seenLogs.add(key);
    if (task.seenLogs.size > mostLogLines) {
      add("WARNING", `The adapter sent more than ${mostLogLines} lines for this task; the rest is left out.`);
    } else add(level, text, timestamp);
  }
  return fresh;
}

const logKey = (timestamp: string | undefined, level: string, message: string): string =>
  `${level}|${timestamp ?? ""}|${message}`;

/** The key of a line that is in the log already. Older programs wrote the adapter's time into the message. */
export function storedLogKey({ severity, message, adapterTimestamp }: AdapterLogLine): string {
  const older = adapterTimestamp === null ? /^\[(\d{4}-[^\]]{10,30})\] (.*)$/s.exec(message) : null;
  if (older) return logKey(older[1], severity, older[2] ?? "");
  return logKey(adapterTimestamp ?? undefined, severity, message);
}
