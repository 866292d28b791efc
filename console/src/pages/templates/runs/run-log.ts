/** The lines of a run as its stream brings them, outside of React: there may be thousands. */
import type { StreamEvent } from "plinth-client";
import { createSignal, type Signal } from "../../../api/signal.ts";
import { isRecord } from "../form/json.ts";

export interface RunLine {
  id: string;
  at: string;
  message: string;
  /** null: of the run itself. */
  stepId: string | null;
}

export interface RunLog {
  lines: Signal<readonly RunLine[]>;
  /** Whether an event arrived that changes the list of steps. */
  add: (events: readonly StreamEvent[]) => boolean;
  lastId: () => string | undefined;
}

/** The server stores about as many of one run. */
const maxLines = 20_000;

export const createRunLog = (): RunLog => {
  const lines = createSignal<readonly RunLine[]>([]);
  let last: string | undefined;
  return {
    lines,
    lastId: () => last,
    add(events) {
      const added: RunLine[] = [];
      let isStep = false;
      for (const event of events) {
        if (event.id !== "") last = event.id;
        const data = readData(event);
        if (data === null) continue;
        const { message, stepId, createdAt, status } = data;
        isStep ||= event.event !== "log" || status !== undefined;
        // The page says how it ended, and what failed.
        if (event.event === "completion") continue;
        added.push({
          id: event.id,
          at: String(createdAt),
          message: String(message),
          stepId: typeof stepId === "string" ? stepId : null,
        });
      }
      if (added.length > 0) lines.set([...lines.get(), ...added].slice(-maxLines));
      return isStep;
    },
  };
};

const readData = ({ data }: StreamEvent): Record<string, unknown> | null => {
  const read: unknown = JSON.parse(data);
  return isRecord(read) ? read : null;
};
