/** Compares the calls that an adapter has received with the tasks they were made for. */
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import { unfaithfulRepeats } from "./record.ts";

export interface CalledTask {
  planId: string;
  taskId: string;
  action: string;
  componentId: string | null;
  status: string;
  idempotencyKey: string;
  /** Intents that were written, each before a call. */
  attempts: number;
  /** What it ended with, in words. */
  result: string | null;
  /** When the task had ended. */
  stoppedAt: Date | null;
}

export interface RepeatedCall {
  planId: string;
  first: JournalEntry;
  again: JournalEntry;
}

export interface CallEvidence {
  tasks: readonly CalledTask[];
  journal: readonly JournalEntry[];
  /** Whether something had happened by which the caller could not know the outcome of the first call. */
  isExplained: (repeat: RepeatedCall) => boolean;
  /** Whether a call may have stood still on its way, or with its caller, since before that moment. */
  mayBeLate: (call: JournalEntry, moment: Date) => boolean;
}

export interface CallVerdict {
  calls: number;
  repeats: number;
  violations: string[];
}

/** An adapter's clock is ours, but the end of a task is stamped just before it is written. */
const clockMs = 50;

export function judgeCalls({ tasks, journal, isExplained, mayBeLate }: CallEvidence): CallVerdict {
  const starts = journal.filter(({ operation }) => operation !== "poll" && operation !== "terminate");
  const verdict: CallVerdict = { calls: starts.length, repeats: 0, violations: unfaithfulRepeats(starts) };
  const { violations } = verdict;
  const firstPolls = new Map<string, JournalEntry>();
  for (const entry of journal) {
    const { operation, token } = entry;
    if (operation === "poll" && token !== null && !firstPolls.has(token)) firstPolls.set(token, entry);
  }
  const byKey = Map.groupBy(starts, (entry) => entry.idempotencyKey ?? "none");
  for (const task of tasks) {
    const { idempotencyKey: key, stoppedAt } = task;
    const calls = byKey.get(key) ?? [];
    byKey.delete(key);
    violations.push(...lost(task, calls));
    if (calls.length > task.attempts)
      violations.push(`${key}: ${calls.length} calls, ${task.attempts} intents`);
    for (const call of calls) {
      const isLate = stoppedAt !== null && Date.parse(call.time) > stoppedAt.getTime() + clockMs;
      if (isLate && !mayBeLate(call, stoppedAt)) violations.push(`${key} was called after it had ended`);
    }
    for (const [index, again] of calls.entries()) {
      const first = calls[index - 1];
      if (!first) continue;
      verdict.repeats++;
      if (!isExplained({ planId: task.planId, first, again }))
        violations.push(`${key} was repeated without a reason`);
      const poll = again.token === null ? undefined : firstPolls.get(again.token);
      const isPolled = poll !== undefined && poll.sequence < again.sequence;
      if (isPolled && !mayBeLate(again, new Date(poll.time)))
        violations.push(`${key} was started again although its token was polled`);
    }
  }
  for (const key of byKey.keys()) violations.push(`${key} belongs to no task`);
  violations.push(...doubled(tasks));
  return verdict;
}

/** Tasks that call no adapter. */
export const policyAction = "POLICY_VALIDATE_COMPONENT";

/** What is said to be done has been asked for, and where it changes something, has been acted upon. */
function lost({ idempotencyKey: key, status, action }: CalledTask, calls: readonly JournalEntry[]): string[] {
  if (status !== "COMPLETED" && status !== "FAILED") return [];
  if (action === policyAction) return calls.length > 0 ? [`${key} called an adapter`] : [];
  if (calls.length === 0) return [`${key} is ${status} and was never called`];
  const changes = action === "PROVISION" || action === "UNPROVISION";
  return changes && !calls.some(({ acted }) => acted) ? [`${key} is ${status} and was never acted upon`] : [];
}

/** A component has one task of a kind in a plan. */
function doubled(tasks: readonly CalledTask[]): string[] {
  const same = Map.groupBy(tasks, ({ planId, action, componentId }) => `${planId} ${action} ${componentId}`);
  return [...same].flatMap(([name, members]) =>
    members.length > 1 ? [`${name} has ${members.length} tasks with keys of their own`] : [],
  );
}
