/** Pure. The effect of a settlement on the component, and the wire shape of an entry. */
import type { PollAnswer } from "../../adapters/protocol/answers.ts";
import type { LastOperation } from "../../execution/types.ts";
import type { OutcomeRow } from "./entry.ts";
import type { UnknownOutcome } from "./schema.ts";

/** Actions whose outcome is a status of the component. */
const componentActions: Record<string, { done: string; operation: LastOperation["operation"] }> = {
  PROVISION: { done: "DEPLOYED", operation: "Deploy" },
  UNPROVISION: { done: "NOT_DEPLOYED", operation: "Undeploy" },
};

export const changesComponent = (action: string): boolean => Object.hasOwn(componentActions, action);

/** The outcomes that fit the task's action. */
export const outcomesOf = (action: string): string[] =>
  changesComponent(action) ? ["DEPLOYED", "NOT_DEPLOYED", "CORRUPT"] : ["APPLIED", "NOT_APPLIED"];

/** The last operation was successful when the outcome is the status that the task aimed at. */
export function lastOperationOf(action: string, outcome: string): LastOperation {
  const { done, operation } = componentActions[action] ?? { done: "", operation: "Deploy" };
  return { operation, status: outcome === done ? "Successful" : "Failed" };
}

/** What the adapter's answer to a late poll settles, or null when it settles nothing. */
export function outcomeOfPoll(action: string, answer: PollAnswer): string | null {
  if (answer.type !== "done") return null;
  const component = componentActions[action];
  if (answer.status === "COMPLETED") return component?.done ?? "APPLIED";
  return component ? "CORRUPT" : "NOT_APPLIED";
}

/** The answer as one sentence. */
export function answerText(answer: PollAnswer): string {
  switch (answer.type) {
    case "done":
      return `The adapter answered ${answer.status}${answer.result ? `: ${answer.result}` : "."}`;
    case "running":
    case "terminating":
      return "The adapter is still at work.";
    default:
      return answer.message;
  }
}

/** When the adapter is asked by the clock next; null where it is not. */
export function nextRetryOf(row: OutcomeRow, delaysMs: readonly number[]): Date | null {
  const [firstDelayMs] = delaysMs;
  if (row.settledAt || row.endedAt === null || row.retryEnded !== null) return null;
  if (firstDelayMs === undefined || row.retries >= delaysMs.length) return null;
  if (row.token === null && !row.isRepeatable) return null;
  return row.nextRetryAt ?? new Date(row.endedAt.getTime() + firstDelayMs);
}

export interface ViewContext {
  now: Date;
  /** Before each retry; none where nothing is asked by the clock. */
  delaysMs: readonly number[];
}

export function outcomeView(row: OutcomeRow, { now, delaysMs }: ViewContext): UnknownOutcome {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  const until = row.settledAt ?? now;
  const nextRetryAt = nextRetryOf(row, delaysMs);
  const state = row.settledAt ? "SETTLED" : row.endedAt ? "OPEN" : "IN_PROGRESS";
  return {
    planId: row.planId,
    taskId: row.taskId,
    deploymentUnitId: row.unitId,
    environment: row.environment,
    componentId: row.componentId,
    adapterId: row.adapterId,
    action: row.action,
    taskStatus: row.taskStatus,
    state,
    since: row.since.toISOString(),
    ageSeconds: Math.max(0, Math.floor((until.getTime() - row.since.getTime()) / 1000)),
    attempts: row.attempts,
    evidence: {
      lastCallAt: time(row.lastCallAt),
      endedAt: time(row.endedAt),
      lastAnswer: row.lastAnswer,
      token: row.token,
      polls: row.polls,
      lastPollAt: time(row.lastPollAt),
      lastPollAnswer: row.lastPollAnswer,
      retries: row.retries,
      nextRetryAt: time(nextRetryAt),
    },
    next: nextOf(row, { state, nextRetryAt }),
    settlement: row.settledAt
      ? {
          outcome: row.outcome ?? "",
          by: row.settledBy ?? "",
          at: row.settledAt.toISOString(),
          reason: row.reason ?? "",
        }
      : null,
  };
}

interface Next {
  state: UnknownOutcome["state"];
  nextRetryAt: Date | null;
}

function nextOf(row: OutcomeRow, { state, nextRetryAt }: Next): string {
  if (state === "SETTLED") return "Nothing: it is settled.";
  if (state === "IN_PROGRESS") {
    const ended = row.taskStatus === "FAILED" || row.taskStatus === "TERMINATED";
    if (ended) return "The task has ended; its plan has not. It can be settled then.";
    return row.token
      ? "Its plan polls the adapter under the token."
      : "Its plan waits for the answer, and repeats the identical call when none comes.";
  }
  if (row.isRepeating)
    return "Its call is being made again just now; no plan of its unit begins before that has ended.";
  const asked = nextRetryAt ? `The adapter is asked again at ${nextRetryAt.toISOString()}. ` : "";
  const ended = row.retryEnded === null ? "" : `${row.retryEnded} `;
  const waited = row.retryWaiting === null ? "" : `It could not be asked before: ${row.retryWaiting} `;
  const look = row.token ? "Poll the adapter once more, or look at the target" : "Look at the target";
  return `${asked}${waited}${ended}${look}, and settle it by your word; or deploy or undeploy the component again.`;
}
