/** Pure: where a reader goes on in the log of a run after an approval was decided. */
import { typeOf, type LoggedEvent, type RunEvent } from "../log/ag-ui.ts";
import { waitingEvent } from "./waiting.ts";

export interface Continuation {
  /** The last event that the client has had. */
  after: number;
  /** Steps of agents that had begun by then and had not ended. */
  openSteps: string[];
}

/** After the last event that says that these approvals are waited for. */
export function continuationOf(events: readonly string[], ids: ReadonlySet<string>): Continuation {
  let after = 0;
  let steps = new Set<string>();
  let open = new Set<string>();
  for (const [index, data] of events.entries()) {
    const type = typeOf(data);
    if (!read.has(type)) continue;
    const event = JSON.parse(data) as RunEvent;
    if (event.type === "STEP_STARTED") steps.add(event.stepName);
    if (event.type === "STEP_FINISHED") steps.delete(event.stepName);
    if (event.type !== "CUSTOM" || !names(event, ids)) continue;
    after = index + 1;
    open = new Set(steps);
  }
  steps = open;
  return { after, openSteps: [...steps] };
}

/** Other events are not parsed. */
const read = new Set(["CUSTOM", "STEP_STARTED", "STEP_FINISHED"]);

interface Named {
  approval_id?: string;
  approvals?: { approval_id: string }[];
}

function names({ name, value }: Extract<RunEvent, { type: "CUSTOM" }>, ids: ReadonlySet<string>): boolean {
  const { approval_id: id = "", approvals = [] } = value as Named;
  if (name === "approval_required") return ids.has(id);
  return name === waitingEvent && approvals.some((each) => ids.has(each.approval_id));
}

/** The events that a stream of the rest begins with, so that it is whole by itself. */
export const openingEvents = (
  { runId, sessionId }: { runId: string; sessionId: string },
  { after, openSteps }: Continuation,
): LoggedEvent[] =>
  [
    { type: "RUN_STARTED" as const, threadId: sessionId, runId },
    ...openSteps.map((stepName) => ({ type: "STEP_STARTED" as const, stepName })),
  ].map((event: RunEvent) => ({ seq: after, type: event.type, data: JSON.stringify(event) }));
