/** Metrics of notices: what waits and is dead, from the database; what this process has sent and what has failed. */
import type { Db } from "../../../platform/db/database.ts";
import type { AddNumbers } from "../../../platform/telemetry/database-numbers.ts";
import type { Counter, Instruments } from "../../../platform/telemetry/instruments.ts";
import { readMessageNumbers } from "./sending/message-store.ts";

export const countAttempts = (instruments: Instruments): Counter =>
  instruments.counter({
    name: "plinth_notices_attempts_total",
    help: "Attempts to send a notice, by how they ended: sent, failed (it is tried again), or dead (it was the last one).",
    labels: ["channel", "result"],
  });

export function registerNoticeMetrics(numbers: AddNumbers, db: Db): void {
  const messages = numbers("notices", () => readMessageNumbers(db));
  messages.gauge(
    {
      name: "plinth_notices",
      help: "Notices that wait to be sent (pending) or were given up (dead).",
      labels: ["channel", "status"],
    },
    (found, set) => {
      for (const { channel, status, count } of found) set(count, [channel, status]);
    },
  );
  messages.gauge(
    {
      name: "plinth_notices_oldest_pending_seconds",
      help: "Age of the oldest notice that waits to be sent.",
      labels: ["channel"],
    },
    (found, set) => {
      for (const { channel, status, oldestSeconds } of found)
        if (status === "pending") set(oldestSeconds, [channel]);
    },
  );
}
