/** Reads an execution plan, once or to its end. */
import { followStream } from "./follow-stream.ts";
import { callServer, type Server } from "./http.ts";
import { hasEnded, type PlanEvent, type PlanStatus } from "./wire.ts";

/** Every event of the plan, from its first, once each; returns after the plan's last. */
export async function* followPlan(server: Server, token: string): AsyncGenerator<PlanEvent> {
  const events = followStream(server, {
    path: `/api/coordinator/v1/execution-plans/${encodeURIComponent(token)}/events`,
    isLast: ({ type, data }) => {
      const event = parseEvent(type, data);
      return event?.type === "plan" && hasEnded(event.data.status);
    },
    broken: {
      message: "The event stream of the plan breaks off again and again; the plan itself goes on.",
      solution: "See where it stands with `plinth status --plan <token>`.",
    },
  });
  for await (const { type, data } of events) {
    const event = parseEvent(type, data);
    if (event) yield event;
  }
}

export async function readPlanStatus(server: Server, token: string): Promise<PlanStatus> {
  const path = `/api/coordinator/v1/execution-plans/${encodeURIComponent(token)}/status`;
  return (await callServer<PlanStatus>(server, { method: "GET", path })).body;
}

const known = new Set(["task", "log", "plan"]);

/** Types that a later server adds are left out. */
function parseEvent(type: string, data: string): PlanEvent | null {
  if (!known.has(type)) return null;
  try {
    return { type, data: JSON.parse(data) } as PlanEvent;
  } catch {
    return null;
  }
}
