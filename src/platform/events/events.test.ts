import { createHook } from "node:async_hooks";
import { expect, it } from "vitest";
import type { Database, Db } from "../db/database.ts";
import { createEventHub } from "./events.ts";

/** Timers of this length that have neither fired nor been cleared, among those that are made from now on. */
function countTimers(lengthMs: number): { count: () => number; stop: () => void } {
  const open = new Set<number>();
  const hook = createHook({
    init(id, type, _trigger, resource: { _idleTimeout?: number }) {
      if (type === "Timeout" && resource._idleTimeout === lengthMs) open.add(id);
    },
    destroy: (id) => void open.delete(id),
  }).enable();
  return { count: () => open.size, stop: () => void hook.disable() };
}

it("a reader that waits has one timer, however often it was woken", async () => {
  const timers = countTimers(5_000);
  let notify: (payload: string) => void = () => {};
  const db: Db = { query: async () => ({ rows: [], rowCount: 0 }) };
  const listener = {
    listen: async (_channel: string, notice: typeof notify) => {
      notify = notice;
      return () => {};
    },
  };
  const hub = await createEventHub({ db, listener } as unknown as Database);
  const stop = new AbortController();
  const tail = hub.tail("stream", { after: 0, signal: stop.signal, isLast: () => false });
  const next = tail.next();
  for (let notice = 0; notice < 10; notice++) {
    notify("stream");
    await new Promise((done) => setImmediate(done));
  }
  expect(timers.count()).toBe(1);
  stop.abort();
  expect((await next).done).toBe(true);
  await expect.poll(timers.count).toBe(0);
  timers.stop();
});
