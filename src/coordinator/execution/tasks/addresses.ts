/**
 * Keeps the calls of a running plan at the addresses at which its adapters are registered. A registration that moves
 * takes along what has not begun. What may have begun at the old address is asked about there for as long as somebody
 * accepts connections; only a question (a poll, a termination) may then go to the new address, never the call itself.
 */
import { isUnconnected, type Fault } from "../../adapter-protocol/answers.ts";
import { redactUrl } from "../../../platform/outbound/redact.ts";
import { isTerminal } from "../record/transitions.ts";
import type { LogLine, TaskRow } from "../record/types.ts";
import { label } from "./ends.ts";
import { phaseOf, step, type PlanRun, type TaskState } from "./plan-run.ts";
import { taskKinds } from "./task-kinds.ts";

/** What a plan knows of the registrations of its adapters. */
export interface Registrations {
  /** Some registration may have changed since they were read last. */
  areStale: boolean;
  /** The last read; every call waits until it is over. */
  reading: Promise<void>;
  /** By adapter id, the addresses of the registrations that are enabled. */
  read(environment: string, adapterIds: string[]): Promise<Map<string, string>>;
}

export const callsAdapter = ({ action }: Pick<TaskRow, "action">): boolean =>
  taskKinds[action].call !== "service";

/** The address for the next call of the task; null where it has none. */
export async function addressOf(run: PlanRun, task: TaskState): Promise<string | null> {
  await readWhenStale(run);
  return movedTo(task) ?? task.adapterUrl;
}

/** The address at which the task's adapter is registered, where that is another one than the task has; read anew. */
export async function otherAddress(run: PlanRun, task: TaskState): Promise<string | null> {
  if (!callsAdapter(task)) return null;
  run.registrations.areStale = true;
  await readWhenStale(run);
  const { registeredUrl } = task;
  return registeredUrl && registeredUrl !== task.adapterUrl ? registeredUrl : null;
}

/** The other address of a task that may still move there. */
function movedTo(task: TaskState): string | null {
  return task.registeredUrl && mayMove(task) ? task.registeredUrl : null;
}

/** No call of the task can have begun anything at the address that it has. */
export const mayMove = (task: TaskState): boolean =>
  task.token === null && (!task.mayHaveActed || changesNothing(task));

function changesNothing({ action }: TaskState): boolean {
  const { call } = taskKinds[action];
  return call === "validation" || call === "reverse-provisioning";
}

async function readWhenStale(run: PlanRun): Promise<void> {
  const { registrations } = run;
  if (registrations.areStale) {
    registrations.areStale = false;
    registrations.reading = read(run);
  }
  await registrations.reading;
}

/** While the registrations cannot be read, the addresses that are known go on being called. */
async function read(run: PlanRun): Promise<void> {
  const open = [...run.tasks.values()].filter((task) => !isTerminal(task.status) && callsAdapter(task));
  const ids = [...new Set(open.flatMap(({ adapterId }) => adapterId ?? []))];
  try {
    const urls = await run.registrations.read(run.plan.environment, ids);
    for (const task of open) task.registeredUrl = urls.get(task.adapterId ?? "") ?? null;
  } catch (error) {
    run.registrations.areStale = true;
    run.log.warn(
      { planId: run.plan.id, reason: (error as Error).message },
      "the registrations of a plan's adapters could not be read",
    );
  }
}

/** A line for the log of a plan, when a task leaves the address that it had. */
export function movedLine(run: PlanRun, task: TaskState, url: string): LogLine {
  const before = task.adapterUrl === null ? "" : ` instead of ${redactUrl(task.adapterUrl)}`;
  const message = `${label(task)}: the adapter ${task.adapterId} is registered at ${redactUrl(url)} now, and is called there${before}.`;
  return { at: run.now(), severity: "WARNING", taskId: task.taskId, phase: phaseOf(task), message };
}

/**
 * Asks about work that was accepted: at the address that accepted it, and where no connection to that can be made, at
 * the one at which the adapter is registered now. Once somebody answers there, the task stays with that address.
 */
export async function askAboutWork<Answer extends { type: string }>(
  run: PlanRun,
  task: TaskState,
  ask: (url: string) => Promise<Answer | Fault>,
): Promise<Answer | Fault> {
  const answer = await ask(task.adapterUrl ?? "");
  if (!isUnconnected(answer) || run.halt.signal.aborted) return answer;
  const url = await otherAddress(run, task);
  if (url === null) return answer;
  const there = await ask(url);
  const hasAnswered = there.type !== "fault" || (there as Fault).status !== undefined;
  if (!hasAnswered || run.halt.signal.aborted) return answer;
  await step(run, task, "note", { adapterUrl: url, moreLogs: [movedLine(run, task, url)] });
  return there;
}
