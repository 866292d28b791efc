/** The last lines of a plan's log that its events brought: so many that a person can read them, and no more. */
import type { CoordinatorComponents, StreamEvent } from "plinth-client";
import { createSignal, type Signal } from "../../../../api/signal.ts";

export type LogLine = CoordinatorComponents["schemas"]["LogLine"];

export interface BufferedLine extends LogLine {
  /** Of its event: unique, and in order. */
  id: number;
}

export interface LogBuffer {
  lines: Signal<readonly BufferedLine[]>;
  /** Lines that came before the first one that is kept. */
  dropped(): number;
  add(events: readonly StreamEvent[]): void;
}

export const keptLines = 5000;

export function createLogBuffer(kept = keptLines): LogBuffer {
  const lines = createSignal<readonly BufferedLine[]>([]);
  let dropped = 0;
  return {
    lines,
    dropped: () => dropped,
    add(events) {
      if (events.length === 0) return;
      const last = lines.get().at(-1)?.id ?? -1;
      const fresh = events
        .map(({ id, data }) => ({ ...(JSON.parse(data) as LogLine), id: Number(id) }))
        .filter(({ id }) => id > last);
      const all = [...lines.get(), ...fresh];
      const excess = Math.max(0, all.length - kept);
      dropped += excess;
      lines.set(excess === 0 ? all : all.slice(excess));
    },
  };
}
