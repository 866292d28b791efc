import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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

describe("a row whose work fails", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Rows that stay due until their work succeeds, and when the work on each has begun. */
  function table(bad: (row: string) => boolean, more: Partial<RowWorkerOptions<string>> = {}) {
    const begun: [string, number][] = [];
    const since = Date.now();
    const built = stage({
      idleMs: 60_000,
      claim: async ({ underWay, limit }) =>
        built.due.filter((row) => !underWay.includes(row)).slice(0, limit),
      async work(row) {
        begun.push([row, Math.round((Date.now() - since) / 1_000)]);
        if (bad(row)) throw new Error("refused");
        built.due.splice(built.due.indexOf(row), 1);
        return null;
      },
      ...more,
    });
    const secondsOf = (row: string): number[] => begun.filter(([name]) => name === row).map(([, at]) => at);
    const run = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms));
    const stop = async (worker: { close(): Promise<void> }): Promise<void> => {
      const closed = worker.close();
      await run(1_000);
      await closed;
    };
    return { ...built, begun, secondsOf, run, stop };
  }

  it("is left alone for a pause that doubles, while others are worked on in its place", async () => {
    const { add, start, secondsOf, run, stop } = table((row) => row === "bad", { parallel: 1 });
    const worker = await start();
    add("bad", "good");
    await run(8_000);
    add("better");
    await run(500);
    expect([secondsOf("good"), secondsOf("better")]).toEqual([[0], [8]]);
    expect(secondsOf("bad")).toEqual([0, 1, 3, 7]);
    await stop(worker);
  });

  it("has a short pause again once its work has succeeded in between", async () => {
    let isBad = true;
    const { add, start, secondsOf, run, stop } = table(() => isBad);
    const worker = await start();
    add("row");
    await run(2_000);
    isBad = false;
    await run(2_000);
    expect(secondsOf("row")).toEqual([0, 1, 3]);
    isBad = true;
    add("row");
    await run(1_900);
    expect(secondsOf("row")).toEqual([0, 1, 3, 4, 5]);
    await stop(worker);
  });

  it("is due when its owner says so, who may end it: the tenth failure in a row is the last", async () => {
    const seen: [number, number, boolean][] = [];
    const built = table(() => true, {
      async onFailure(row, { failures, pauseMs, isLast }) {
        seen.push([failures, pauseMs, isLast]);
        if (!isLast) return pauseMs;
        built.due.splice(built.due.indexOf(row), 1);
        return null;
      },
    });
    const worker = await built.start();
    built.add("row");
    await built.run(10_000);
    expect(seen.at(-1)).toEqual([10, 300_000, true]);
    expect(seen.slice(7, 9)).toEqual([
      [8, 128_000, false],
      [9, 256_000, false],
    ]);
    expect(built.due).toEqual([]);
    await built.stop(worker);
  });

  it("pauses when its failure can't be stored either", async () => {
    const { add, start, secondsOf, run, stop, logged } = table(() => true, {
      onFailure: () => Promise.reject(new Error("refused too")),
    });
    const worker = await start();
    add("row");
    await run(3_900);
    expect(secondsOf("row")).toEqual([0, 1, 3]);
    expect(logged.slice(0, 2)).toEqual([
      { row: "row", reason: "refused" },
      { row: "row", reason: "refused too" },
    ]);
    await stop(worker);
  });

  it("pauses, but does not come nearer to its end, while the database is away", async () => {
    let isAway = true;
    const seen: [number, number, boolean][] = [];
    const { add, start, run, stop } = table(() => true, {
      work: () => Promise.reject(Object.assign(new Error("away or not"), isAway ? { code: "57P01" } : {})),
      async onFailure(_row, { failures, pauseMs, isLast }) {
        seen.push([failures, pauseMs, isLast]);
        return 1;
      },
    });
    const worker = await start();
    add("row");
    await run(300);
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.slice(0, 3)).toEqual([
      [0, 1_000, false],
      [0, 2_000, false],
      [0, 4_000, false],
    ]);
    expect(seen.at(-1)).toEqual([0, 300_000, false]);
    isAway = false;
    await run(300);
    expect(seen.find(([failures]) => failures === 10)).toEqual([10, 300_000, true]);
    await stop(worker);
  });

  it("is not worked on again while its end can't be stored, and begins anew when it is due after it", async () => {
    let canStore = false;
    const built = table(() => true, {
      async onFailure(row, { isLast }) {
        if (!isLast) return 0;
        if (!canStore) throw new Error("refused too");
        built.due.splice(built.due.indexOf(row), 1);
        return null;
      },
    });
    const worker = await built.start();
    built.add("row");
    await built.run(700_000);
    expect([built.begun.length, built.due]).toEqual([10, ["row"]]);
    canStore = true;
    await built.run(300_000);
    expect([built.begun.length, built.due]).toEqual([10, []]);
    built.add("row");
    await built.run(100);
    expect(built.begun.length).toBeGreaterThan(10);
    await built.stop(worker);
  });

  it("is named to the claim as one that takes no place", async () => {
    const seen: [readonly string[], string[], number][] = [];
    const { add, start, due, run, stop } = table(() => true, {
      async claim({ underWay, pausing, limit }) {
        seen.push([underWay, [...pausing], limit]);
        return due.filter((row) => !underWay.includes(row));
      },
    });
    const worker = await start();
    add("row");
    await run(500);
    expect(seen.at(-1)).toEqual([["row"], ["row"], 2]);
    await stop(worker);
  });

  it("stops the claims when a thousand pause at once", async () => {
    const { add, start, begun, run, stop } = table(() => true, {
      parallel: 50,
      onFailure: () => Promise.reject(new Error("away")),
    });
    const worker = await start();
    add(...Array.from({ length: 1_200 }, (_, index) => `row ${index}`));
    await run(900);
    expect(begun.length).toBe(1_000);
    await stop(worker);
  });
});

it("looks again at once while there is more to do before the claims", async () => {
  let rounds = 0;
  const { start } = stage({ beforeClaims: async () => ++rounds < 4 });
  const worker = await start();
  await expect.poll(() => rounds).toBeGreaterThanOrEqual(4);
  await worker.close();
});

it("looks again in the time that is said before the claims", async () => {
  let rounds = 0;
  const { start } = stage({ beforeClaims: async () => (++rounds < 4 ? 1 : false) });
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
