import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { afterEach, expect, it, vi } from "vitest";
import type { Database } from "../db/database.ts";
import { createEventHub } from "./events.ts";

afterEach(() => void vi.useRealTimers());

it("a reader that waits has one timer, however often it was woken", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let notify: (payload: string) => void = () => {};
  const kysely = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const listener = {
    listen: async (_channel: string, notice: typeof notify) => {
      notify = notice;
      return () => {};
    },
  };
  const hub = await createEventHub({ kysely, listener } as unknown as Database);
  const stop = new AbortController();
  const tail = hub.tail("stream", { after: 0, signal: stop.signal, isLast: () => false });
  const next = tail.next();
  for (let notice = 0; notice < 10; notice++) {
    notify("stream");
    await new Promise((done) => setImmediate(done));
  }
  expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  stop.abort();
  expect((await next).done).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
