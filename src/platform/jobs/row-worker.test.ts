import { expect, it, vi } from "vitest";
import { silentLogger } from "../lib/logger.ts";
import { startRowWorker, type RowWorkerOptions } from "./row-worker.ts";

/** Rows that a test adds, and work of which it says when it ends. */
function stage(more: Partial<RowWorkerOptions<string>> = {}) {
  const due: string[] = [];
  const working = new Map<string, { end: (dueMs: number | null) => void; fail: (error: Error) => void }>();
  const logged: unknown[] = [];
  let wake = (): void => {};
  let subscribed = true;
  const options: RowWorkerOptions<string> = {
    log: { ...silentLogger, warn: (fields: unknown) => void logged.push(fields) },
    name: "rows",
    idleMs: 60_000,
    gatherMs: 1,
    parallel: 2,
    claim: async ({ limit }) => due.splice(0, limit),
    work(row, signal) {
      const { promise, resolve: end, reject: fail } = Promise.withResolvers<number | null>();
      working.set(row, { end, fail });
      signal.addEventListener("abort", () => end(null));
      return promise.finally(() => working.delete(row));
    },
    describe: (row) => ({ row }),
    listener: {
      async listen(_channel, notice) {
        wake = () => notice("");
        return () => void (subscribed = false);
      },
    },
    channels: ["due"],
    ...more,
  };
  return {
    due,
    working,
    logged,
    start: () => startRowWorker(options),
    add: (...rows: string[]): void => {
      due.push(...rows);
      wake();
    },
    isSubscribed: () => subscribed,
  };
}

it("works on as many rows as it may, and goes on as they end", async () => {
  const { add, start, working } = stage();
  const worker = await start();
  add("a", "b", "c");
  await expect.poll(() => [...working.keys()]).toEqual(["a", "b"]);
  working.get("a")?.end(null);
  await expect.poll(() => [...working.keys()]).toEqual(["b", "c"]);
  await worker.close();
});

it("names what is under way to the claim, and looks again when a row is due", async () => {
  const seen: (readonly string[])[] = [];
  const { add, start, working, due } = stage({
    async claim({ underWay, limit }) {
      seen.push(underWay);
      return due.splice(0, limit);
    },
  });
  const worker = await start();
  add("a");
  await expect.poll(() => working.size).toBe(1);
  add("b");
  await expect.poll(() => working.size).toBe(2);
  expect(seen.at(-1)).toEqual(["a"]);
  const looks = seen.length;
  working.get("a")?.end(30);
  await expect.poll(() => seen.length).toBeGreaterThanOrEqual(looks + 2);
  await worker.close();
});

it("a row whose work fails is logged and leaves its place; so does a failed round", async () => {
  let failures = 1;
  const { add, start, working, logged } = stage({
    parallel: 1,
    async beforeClaims() {
      if (failures-- > 0) throw new Error("away");
      return false;
    },
  });
  const worker = await start();
  add("a", "b");
  await expect.poll(() => [...working.keys()]).toEqual(["a"]);
  working.get("a")?.fail(new Error("defect"));
  await expect.poll(() => [...working.keys()]).toEqual(["b"]);
  expect(logged).toEqual([{ reason: "away" }, { row: "a", reason: "defect" }]);
  await worker.close();
});

it("looks again at once while there is more to do before the claims", async () => {
  let rounds = 0;
  const { start } = stage({ beforeClaims: async () => ++rounds < 4 });
  const worker = await start();
  await expect.poll(() => rounds).toBeGreaterThanOrEqual(4);
  await worker.close();
});

it("a stop lets work end within the grace, and aborts what takes longer", async () => {
  const { add, start, working, due, isSubscribed } = stage();
  const worker = await start();
  add("quick", "slow", "late");
  await expect.poll(() => working.size).toBe(2);
  const closing = worker.close(1);
  working.get("quick")?.end(null);
  await closing;
  expect([working.size, due, isSubscribed()]).toEqual([0, ["late"], false]);
});

it("looks at a fifth of the pace once ten rounds have found nothing, until it is notified", async () => {
  vi.useFakeTimers();
  try {
    let claims = 0;
    const { start, add } = stage({ idleMs: 100, claim: async () => ((claims += 1), []) });
    const worker = await start();
    await vi.advanceTimersByTimeAsync(1_000);
    const before = claims;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(claims - before).toBeLessThanOrEqual(12);
    const resting = claims;
    add();
    await vi.advanceTimersByTimeAsync(950);
    expect(claims - resting).toBeGreaterThanOrEqual(9);
    const closed = worker.close();
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
  } finally {
    vi.useRealTimers();
  }
});
