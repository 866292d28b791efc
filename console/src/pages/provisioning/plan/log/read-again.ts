/** When a stored log is read again, because its plan's events have brought lines that it does not have. */
import type { Signal } from "../../../../api/signal.ts";
import type { BufferedLine } from "../model/log-buffer.ts";

/** Calls `onFresh` for lines that come from now on: of one task, or of the whole plan without `taskId`. */
export const onFreshLines = (
  lines: Pick<Signal<readonly BufferedLine[]>, "get" | "subscribe">,
  taskId: string | undefined,
  onFresh: () => void,
): (() => void) => {
  let seen = lines.get().at(-1)?.id ?? -1;
  return lines.subscribe(() => {
    const fresh = lines.get().filter(({ id }) => id > seen);
    seen = lines.get().at(-1)?.id ?? seen;
    if (fresh.some(({ task }) => taskId === undefined || task === taskId)) onFresh();
  });
};

export interface Reader {
  /** What was read is no longer all that there is. */
  want: () => void;
  stop: () => void;
}

/** Reads some time after it is wanted, one after the other: one that is wanted meanwhile follows, and cancels none. `read` never fails. */
export const createReader = (read: () => Promise<void>, pauseMs: number): Reader => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: "idle" | "reading" | "wanted" | "stopped" = "idle";
  const begin = (): void => {
    timer ??= setTimeout(() => void run(), pauseMs);
  };
  const run = async (): Promise<void> => {
    timer = undefined;
    state = "reading";
    await read();
    // What happens meanwhile may have changed it.
    const after = state as "reading" | "wanted" | "stopped";
    if (after === "stopped") return;
    state = "idle";
    if (after === "wanted") begin();
  };
  return {
    want() {
      if (state === "idle") begin();
      else if (state === "reading") state = "wanted";
    },
    stop() {
      state = "stopped";
      clearTimeout(timer);
    },
  };
};
