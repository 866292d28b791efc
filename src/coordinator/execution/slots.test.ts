import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AtOnceSource } from "../../platform/shared-limits/concurrency.ts";
import { createSlots, smallestSharedLimit, type Slots } from "./slots.ts";

const never = new AbortController().signal;

/** Asks for a slot and notes the name when it is given; returns what gives it back. */
const request = (unit: string, adapterUrl = "x") => ({
  unit,
  environment: "e",
  adapterId: adapterUrl,
  adapterUrl,
});

function ask(slots: Slots, given: string[], name: string, adapter = "x"): () => Promise<void> {
  const unit = name.split("-")[0] ?? "";
  const slot = slots.acquire(request(unit, adapter), never).then((releaseWithRetry) => {
    given.push(name);
    return releaseWithRetry;
  });
  return async () => (await slot)();
}

const settled = (): Promise<void> => new Promise((next) => setImmediate(next));

describe("slots", () => {
  it("are given up to the limit in all, and then as they come back", async () => {
    const slots = createSlots({ total: 2, perAdapter: 2 });
    const given: string[] = [];
    const back = ["a-1", "a-2", "a-3"].map((name) => ask(slots, given, name));
    await settled();
    expect(given).toEqual(["a-1", "a-2"]);
    await back[0]!();
    await settled();
    expect(given).toEqual(["a-1", "a-2", "a-3"]);
    expect(slots.running()).toBe(2);
  });

  it("of an adapter that is full do not hold up another adapter's", async () => {
    const slots = createSlots({ total: 3, perAdapter: 1 });
    const given: string[] = [];
    ask(slots, given, "a-1", "x");
    ask(slots, given, "a-2", "x");
    ask(slots, given, "a-3", "y");
    await settled();
    expect(given).toEqual(["a-1", "a-3"]);
  });

  it("go to the units in turn, however many tasks one of them has waiting", async () => {
    const slots = createSlots({ total: 1, perAdapter: 1 });
    const given: string[] = [];
    const back = ["a-1", "a-2", "a-3", "a-4", "b-1", "c-1"].map((name) => ask(slots, given, name));
    for (const each of [0, 1, 4, 5, 2]) {
      await settled();
      await back[each]!();
    }
    await settled();
    expect(given).toEqual(["a-1", "a-2", "b-1", "c-1", "a-3", "a-4"]);
  });

  it("are taken up by what is at work already, beyond the limit too", async () => {
    const slots = createSlots({ total: 1, perAdapter: 1 });
    const ends = [slots.occupy(request("a")), slots.occupy(request("a"))];
    expect(slots.running()).toBe(2);
    const given: string[] = [];
    ask(slots, given, "b-1");
    ends[0]!();
    await settled();
    expect(given).toEqual([]);
    ends[1]!();
    await settled();
    expect(given).toEqual(["b-1"]);
  });

  it("of an environment are limited too, and an adapter may have a limit of its own", async () => {
    const slots = createSlots({
      total: 7,
      perAdapter: 7,
      environments: [{ name: "e", parallelTasks: 3 }],
      adapters: [{ id: "x", environment: "e", parallelTasks: 1 }],
    });
    const given: string[] = [];
    ask(slots, given, "a-1", "x");
    ask(slots, given, "a-2", "x");
    ask(slots, given, "a-3", "y");
    ask(slots, given, "b-4", "y");
    ask(slots, given, "b-5", "y");
    const elsewhere = { ...request("c"), environment: "f", adapterId: "z" };
    await slots.acquire(elsewhere, never);
    await settled();
    expect(given).toEqual(["a-1", "a-3", "b-4"]);
    expect(slots.state()).toEqual({
      total: { used: 4, limit: 7 },
      environments: { e: { used: 3, limit: 3 } },
      adapters: { x: { used: 2, limit: 7 }, y: { used: 2, limit: 7 } },
      waitingTasks: 2,
      waitingUnits: 2,
    });
  });

  it("are kept, the last one, for a unit that has nothing at work", async () => {
    const slots = createSlots({ total: 20, perAdapter: smallestSharedLimit });
    const given: string[] = [];
    for (let task = 1; task <= 1_000; task++) ask(slots, given, `a-${task}`);
    await settled();
    expect(given).toHaveLength(smallestSharedLimit - 1);
    ask(slots, given, "b-1");
    ask(slots, given, "b-2");
    await settled();
    expect(given.slice(smallestSharedLimit - 1)).toEqual(["b-1"]);
  });

  it("delay nobody's first task by more than one task of each other unit", async () => {
    const units = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(units, fc.integer({ min: 1, max: 12 }), fc.nat(20), async (sizes, limit, ends) => {
        const slots = createSlots({ total: limit, perAdapter: limit });
        const given: number[] = [];
        const atWork: (() => void)[] = [];
        const enter = (unit: number): void => {
          for (let task = 0; task < sizes[unit]!; task++) {
            void slots.acquire(request(`unit ${unit}`), never).then((releaseWithRetry) => {
              given.push(unit);
              atWork.push(releaseWithRetry);
            });
          }
        };
        const endOne = async (): Promise<void> => {
          atWork.shift()?.();
          await settled();
        };
        const last = sizes.length - 1;
        for (let unit = 0; unit < last; unit++) enter(unit);
        await settled();
        for (let end = 0; end < ends; end++) await endOne();
        const before = given.length;
        enter(last);
        await settled();
        while (!given.includes(last)) await endOne();
        expect(given.slice(before).indexOf(last)).toBeLessThan(sizes.length);
      }),
      { numRuns: 200 },
    );
  });

  it("are given back once, however often they are", async () => {
    const slots = createSlots({ total: 1, perAdapter: 1 });
    const releaseWithRetry = await slots.acquire(request("a"), never);
    releaseWithRetry();
    releaseWithRetry();
    expect(slots.running()).toBe(0);
    await slots.acquire(request("a"), never);
    expect(slots.running()).toBe(1);
  });

  it("are not given to who has left, and leaving lets the next one in", async () => {
    const slots = createSlots({ total: 1, perAdapter: 1 });
    const releaseWithRetry = await slots.acquire(request("a"), never);
    const leaver = new AbortController();
    const left = slots.acquire(request("a"), leaver.signal);
    const stays = slots.acquire(request("b"), never);
    leaver.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await expect(slots.acquire(request("a"), leaver.signal)).rejects.toThrow("gone");
    releaseWithRetry();
    (await stays)();
    expect(slots.running()).toBe(0);
  });

  it("never exceed their limits, and nobody waits forever, whatever is asked in whatever order", async () => {
    const asked = fc.record({
      unit: fc.constantFrom("a", "b", "c"),
      adapter: fc.constantFrom("x", "y", "z"),
      ticks: fc.integer({ min: 0, max: 3 }),
      leaves: fc.boolean(),
    });
    const limits = fc.record({
      total: fc.integer({ min: 1, max: 4 }),
      perAdapter: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(asked, { maxLength: 25 }), async (limit, wants) => {
        const slots = createSlots(limit);
        const atWork = new Map<string, number>();
        const all = wants.map(async ({ unit, adapter, ticks, leaves }) => {
          const leaver = new AbortController();
          const slot = slots.acquire(request(unit, adapter), leaver.signal);
          if (leaves) leaver.abort(new Error("gone"));
          const releaseWithRetry = await slot.catch(() => null);
          if (!releaseWithRetry) return;
          atWork.set(adapter, (atWork.get(adapter) ?? 0) + 1);
          expect(slots.running()).toBeLessThanOrEqual(limit.total);
          expect(atWork.get(adapter)).toBeLessThanOrEqual(limit.perAdapter);
          for (let queuedStart = 0; queuedStart < ticks; queuedStart++) await settled();
          atWork.set(adapter, (atWork.get(adapter) ?? 0) - 1);
          releaseWithRetry();
        });
        await Promise.all(all);
        expect(slots.running()).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it("of a limit of all processes are those of this process's share, and more when that grows", async () => {
    const usable = new Map<string, number>();
    const asked: string[] = [];
    let source: AtOnceSource | undefined;
    const slots = createSlots(
      { total: 9, perAdapter: 6, environments: [{ name: "e", parallelTasks: 5 }] },
      (made) => {
        source = made;
        return {
          usable: (name, limit) => Math.min(limit, usable.get(name) ?? 0),
          ask: (name) => void asked.push(name),
          usedElsewhere: (name) => (name === "tasks of x" ? 3 : 0),
        };
      },
    );
    const given: string[] = [];
    for (const name of ["a-1", "a-2", "b-1"]) ask(slots, given, name);
    await settled();
    expect(given).toEqual([]);
    expect(new Set(asked)).toEqual(new Set(["tasks in e", "tasks of x"]));
    expect(source?.needs()).toEqual([
      { name: "tasks in e", limit: 5, used: 0, waiting: 3 },
      { name: "tasks of x", limit: 6, used: 0, waiting: 3 },
    ]);
    usable.set("tasks in e", 5).set("tasks of x", 2);
    source?.onGrown();
    await settled();
    expect(given).toEqual(["a-1", "b-1"]);
    expect(slots.state()).toMatchObject({
      adapters: { x: { used: 5, limit: 6, own: { used: 2, share: 2 } } },
      environments: { e: { used: 2, limit: 5 } },
    });
  });

  it("that are taken without waiting are announced, so that others do not begin too many", () => {
    const asked: string[] = [];
    const slots = createSlots({ total: 9, perAdapter: 6 }, () => ({
      usable: () => 0,
      ask: (name) => void asked.push(name),
      usedElsewhere: () => 0,
    }));
    slots.occupy(request("a"));
    expect([slots.running(), asked]).toEqual([1, ["tasks of x"]]);
  });
});
