/**
 * Chooses the address of each call of a running plan, from the registrations of its adapters. When a
 * registration moves, tasks that have not begun use the new address. Work that may have begun at the old
 * address is polled there as long as it accepts connections; after that, polls and terminations may go to the
 * new address, but never the call itself.
 */
import { isUnconnected, type Fault } from "../../adapters/protocol/answers.ts";
import { redactUrl } from "../../../platform/outbound/redact.ts";
import { isTerminal } from "../transitions.ts";
import type { LogLine, TaskRow } from "../types.ts";
import { label } from "./ends.ts";
import { phaseOf, step, type PlanRun, type TaskState } from "./plan-run.ts";
import { taskKinds } from "./task-kinds.ts";

export const callsAdapter = ({ action }: Pick<TaskRow, "action">): boolean =>
  taskKinds[action].call !== "service" && taskKinds[action].call !== "policies";

/** The address for the next call of the task; null when there is none. */
export async function addressOf(run: PlanRun, task: TaskState): Promise<string | null> {
  await readWhenStale(run);
  return movedTo(task) ?? task.adapterUrl;
}

/** Reads the registration again; returns its address when it differs from the task's. */
export async function otherAddress(run: PlanRun, task: TaskState): Promise<string | null> {
  if (!callsAdapter(task)) return null;
  run.registrations.areStale = true;
  await readWhenStale(run);
  const { registeredUrl } = task;
  return registeredUrl && registeredUrl !== task.adapterUrl ? registeredUrl : null;
}

/** The registered address of a task that may still move there. */
function movedTo(task: TaskState): string | null {
  return task.registeredUrl && mayMove(task) ? task.registeredUrl : null;
}

/** Whether no call of the task can have begun work at its current address. */
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

/** While the registrations cannot be read, calls go to the known addresses. */
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

/** The log line of a task that moves to another address. */
export function movedLine(run: PlanRun, task: TaskState, url: string): LogLine {
  const before = task.adapterUrl === null ? "" : ` instead of ${redactUrl(task.adapterUrl)}`;
  const message = `${label(task)}: the adapter ${task.adapterId} is registered at ${redactUrl(url)} now, and is called there${before}.`;
  return { at: run.now(), severity: "WARNING", taskId: task.taskId, phase: phaseOf(task), message };
}

/**
 * Asks about accepted work at the address that accepted it; when no connection can be made, at the address of
 * the adapter's current registration. The task moves to that address once it answers.
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
  await step(run, task, "note", { adapterUrl: url, logLines: [movedLine(run, task, url)] });
  return there;
}
