import { expect, it, vi } from "vitest";
import type { Notice } from "../db/listener.ts";
import { silentLogger } from "../lib/logger.ts";
import type { ClaimedWork, DrivenWork } from "./driven-work.ts";
import { startRunEngine, type ClaimQuery, type RunEngineOptions } from "./run-engine.ts";

interface Row extends ClaimedWork {
  owner: string;
  /** Null while it is open. */
  worker: string | null;
  isOver: boolean;
}

/** Rows as a database would have them, and a listener that a test notifies. */
function stage(more: Partial<RunEngineOptions<Row, DrivenWork>> = {}) {
  const rows = new Map<string, Row>();
  const channels = new Map<string, Notice>();
  const drives = new Map<string, { end: (how: "over" | "unfinished") => void; halted: boolean }>();
  const fits =
    ({ driving, full }: ClaimQuery) =>
    (row: Row) =>
      !row.isOver && !driving.includes(row.id) && !full.includes(row.owner);
  const claim = (row: Row): Row => {
    row.worker = "me";
    row.fence++;
    return row;
  };
  const options: RunEngineOptions<Row, DrivenWork> = {
    log: silentLogger,
    name: "a work",
    idField: "workId",
    listener: {
      async listen(channel, notice) {
        channels.set(channel, notice);
        return () => void channels.delete(channel);
      },
    },
    workerId: "me",
    parallel: 2,
    ownerOf: (row) => row.owner,
    sweepMs: 60_000,
    controlChannel: "control",
    open: {
      channel: "open",
      claim: async (query) =>
        [...rows.values()]
          .filter((row) => row.worker === null && fits(query)(row))
          .slice(0, query.limit)
          .map(claim),
    },
    claimOne: async (id) => claim(rows.get(id)!),
    findAbandoned: async (query) =>
      [...rows.values()].filter((row) => row.worker === "dead" && fits(query)(row)).slice(0, query.limit),
    drive({ id }) {
      const { promise: done, resolve: end } = Promise.withResolvers<"over" | "unfinished">();
      const drive = { end, halted: false };
      drives.set(id, drive);
      return {
        done,
        handOver: () => {},
        halt() {
          drive.halted = true;
          end("unfinished");
        },
      };
    },
    release: async ({ id }) => void (rows.get(id)!.worker = null),
    control: async () => {},
    ...more,
  };
  const add = (id: string, worker: string | null, owner = id): void =>
    void rows.set(id, { id, fence: 0, owner, worker, isOver: false });
  const end = (id: string): void => {
    rows.get(id)!.isOver = true;
    drives.get(id)!.end("over");
  };
  return { rows, channels, drives, add, end, start: () => startRunEngine(options) };
}

it("its first sweep claims what is open, and what dead workers have left", async () => {
  const { add, start, drives, rows } = stage({ parallel: 3 });
  add("a", null);
  add("b", "dead");
  add("c", "alive");
  const engine = await start();
  await engine.firstSweep();
  expect([[...drives.keys()], rows.get("c")?.worker]).toEqual([["a", "b"], "alive"]);
  await engine.close(0);
});

it("claims when it is notified, and again at an end where there was more than it could take", async () => {
  const { add, end, start, drives, channels } = stage();
  const engine = await start();
  await engine.firstSweep();
  for (const id of ["a", "b", "c"]) add(id, null);
  channels.get("open")!("");
  await expect.poll(() => [...drives.keys()]).toEqual(["a", "b"]);
  end("a");
  await expect.poll(() => [...drives.keys()]).toEqual(["a", "b", "c"]);
  await engine.close(0);
});

it("work that is open again while it is still driven here is claimed once that drive has ended", async () => {
  const { add, start, drives, rows, channels } = stage({ parallel: 3, sweepMs: 3_600_000 });
  add("a", null);
  const engine = await start();
  await engine.firstSweep();
  const old = drives.get("a")!;
  rows.get("a")!.worker = null;
  add("b", null);
  channels.get("open")!("");
  await expect.poll(() => drives.has("b")).toBe(true);
  expect([drives.get("a"), rows.get("a")?.fence]).toEqual([old, 1]);
  old.end("over");
  await expect.poll(() => rows.get("a")?.fence).toBe(2);
  expect(engine.driving()).toBe(2);
  await engine.close(0);
});

it("an owner at the limit waits, others go past, abandoned work too", async () => {
  const { add, end, start, drives, channels } = stage({ parallel: 3, parallelPerOwner: 1 });
  add("a1", null, "ada");
  add("a2", null, "ada");
  add("b1", "dead", "bob");
  add("b2", "dead", "bob");
  const engine = await start();
  await engine.firstSweep();
  expect([...drives.keys()]).toEqual(["a1", "b1"]);
  end("a1");
  await expect.poll(() => [...drives.keys()]).toEqual(["a1", "b1", "a2"]);
  add("c1", null, "cyd");
  channels.get("open")!("");
  await expect.poll(() => [...drives.keys()]).toEqual(["a1", "b1", "a2", "c1"]);
  await engine.close(0);
});

it.each([["a"], [null]])(
  "a notice for %s whose reading failed is read again in every sweep",
  async (noticed) => {
    let failures = 3;
    const passed: string[] = [];
    const { add, start, channels } = stage({
      sweepMs: 1,
      async control(driven) {
        if (failures-- > 0) throw new Error("away");
        passed.push(...driven.keys());
      },
    });
    add("a", null);
    const engine = await start();
    await engine.firstSweep();
    channels.get("control")!(noticed);
    await expect.poll(() => passed).toEqual(["a"]);
    await engine.close(0);
  },
);

it("also while it rests, and when the notice came during the claim", async () => {
  let failures = 1;
  const passed: string[] = [];
  const claim = Promise.withResolvers<void>();
  const { add, rows, start, channels } = stage({
    sweepMs: 3_600_000,
    isQuiet: async () => true,
    async claimOne(id) {
      await claim.promise;
      return rows.get(id)!;
    },
    async control(driven) {
      if (failures-- > 0) throw new Error("away");
      passed.push(...driven.keys());
    },
  });
  const engine = await start();
  await engine.firstSweep();
  add("a", "me");
  const taking = engine.take("a");
  channels.get("control")!("a");
  claim.resolve();
  await taking;
  await expect.poll(() => passed).toEqual(["a"]);
  await engine.close(0);
});

it("rests no more once it was handed work, also where it could not claim it", async () => {
  vi.useFakeTimers();
  try {
    let sweeps = 0;
    let isQuiet = true;
    const { start } = stage({
      sweepMs: 100,
      isQuiet: async () => isQuiet,
      findAbandoned: async () => ((sweeps += 1), []),
      claimOne: async () => null,
    });
    const engine = await start();
    await engine.firstSweep();
    isQuiet = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sweeps).toBe(1);
    await engine.take("a");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sweeps).toBeGreaterThan(5);
    const closed = engine.close(0);
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
  } finally {
    vi.useRealTimers();
  }
});

it("a claim that is refused keeps no other work back", async () => {
  const refused = ["a", "b"];
  const drives: string[] = [];
  const { rows, add, start } = stage({
    parallel: 4,
    async claimOne(id) {
      if (refused.includes(id)) throw new Error("refused");
      const row = rows.get(id)!;
      drives.push(id);
      return { ...row, fence: row.fence + 1 };
    },
  });
  for (const id of [...refused, "c"]) add(id, "dead");
  const engine = await start();
  await engine.firstSweep();
  expect(drives).toEqual(["c"]);
  await engine.close(0);
});

it("a failed duty is reported, and neither it nor a failed look keeps the engine from the next sweep", async () => {
  let looks = 0;
  const { start } = stage({
    sweepMs: 1,
    beforeSweep: [{ run: () => Promise.reject(new Error("away")), failure: "not written" }],
    async findAbandoned() {
      looks++;
      throw new Error("away");
    },
  });
  const engine = await start();
  await expect.poll(() => looks).toBeGreaterThan(2);
  await engine.close(0);
});

it("stops listening, halts and releases what it drives at a stop", async () => {
  const { add, start, drives, rows, channels } = stage();
  add("a", null);
  const engine = await start();
  await engine.firstSweep();
  await engine.close(0);
  expect([drives.get("a")?.halted, rows.get("a")?.worker, channels.size]).toEqual([true, null, 0]);
});

it("asks only whether something is open while nothing is, every fifteen seconds, and looks again after a notice", async () => {
  vi.useFakeTimers();
  try {
    let claims = 0;
    let questions = 0;
    let open = false;
    const { start, channels } = stage({
      sweepMs: 100,
      open: { channel: "open", claim: async () => ((claims += 1), []) },
      findAbandoned: async () => [],
      isQuiet: async () => ((questions += 1), !open),
    });
    const engine = await start();
    await engine.firstSweep();
    expect([claims, questions]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(45_000);
    expect([claims, questions]).toEqual([1, 4]);
    open = true;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(claims).toBeGreaterThan(1);
    open = false;
    await vi.advanceTimersByTimeAsync(200);
    const before = claims;
    await vi.advanceTimersByTimeAsync(400);
    expect(claims).toBe(before);
    channels.get("open")!("");
    await vi.advanceTimersByTimeAsync(10);
    expect(claims).toBe(before + 1);
    const closed = engine.close(0);
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
  } finally {
    vi.useRealTimers();
  }
});

it("sweeps again as soon as another process has begun work, also while it asks whether there is any", async () => {
  vi.useFakeTimers();
  try {
    let sweeps = 0;
    let open = false;
    let onQuestion = (): void => {};
    const { start, channels } = stage({
      sweepMs: 100,
      begunChannel: "begun",
      findAbandoned: async () => ((sweeps += 1), []),
      async isQuiet() {
        const isQuiet = !open;
        onQuestion();
        return isQuiet;
      },
    });
    const engine = await start();
    await engine.firstSweep();
    const begin = (): void => {
      open = true;
      channels.get("begun")!("");
    };
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sweeps).toBe(1);
    begin();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sweeps).toBeGreaterThan(5);
    const before = sweeps;
    open = false;
    onQuestion = () => {
      onQuestion = () => {};
      begin();
    };
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sweeps).toBeGreaterThan(before + 5);
    const closed = engine.close(0);
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
  } finally {
    vi.useRealTimers();
  }
});
