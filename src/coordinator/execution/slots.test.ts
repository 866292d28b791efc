import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSlots, type Slots } from "./slots.ts";

const never = new AbortController().signal;

/** Asks for a slot and notes the name when it is given; returns what gives it back. */
function ask(slots: Slots, given: string[], name: string, adapter = "x"): () => Promise<void> {
  const unit = name.split("-")[0] ?? "";
  const slot = slots.acquire({ unit, adapter }, never).then((giveBack) => {
    given.push(name);
    return giveBack;
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

  it("are given back once, however often they are", async () => {
    const slots = createSlots({ total: 1, perAdapter: 1 });
    const giveBack = await slots.acquire({ unit: "a", adapter: "x" }, never);
    giveBack();
    giveBack();
    expect(slots.running()).toBe(0);
    await slots.acquire({ unit: "a", adapter: "x" }, never);
    expect(slots.running()).toBe(1);
  });

  it("are not given to who has left, and leaving lets the next one in", async () => {
    const slots = createSlots({ total: 1, perAdapter: 1 });
    const giveBack = await slots.acquire({ unit: "a", adapter: "x" }, never);
    const leaver = new AbortController();
    const left = slots.acquire({ unit: "a", adapter: "x" }, leaver.signal);
    const stays = slots.acquire({ unit: "b", adapter: "x" }, never);
    leaver.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await expect(slots.acquire({ unit: "a", adapter: "x" }, leaver.signal)).rejects.toThrow("gone");
    giveBack();
    (await stays)();
    expect(slots.running()).toBe(0);
  });

  it("never exceed their limits, and nobody waits forever, whatever is asked in whatever order", async () => {
    const want = fc.record({
      unit: fc.constantFrom("a", "b", "c"),
      adapter: fc.constantFrom("x", "y", "z"),
      turns: fc.integer({ min: 0, max: 3 }),
      leaves: fc.boolean(),
    });
    const limits = fc.record({
      total: fc.integer({ min: 1, max: 4 }),
      perAdapter: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(want, { maxLength: 25 }), async (limit, wants) => {
        const slots = createSlots(limit);
        const atWork = new Map<string, number>();
        const all = wants.map(async ({ unit, adapter, turns, leaves }) => {
          const leaver = new AbortController();
          const slot = slots.acquire({ unit, adapter }, leaver.signal);
          if (leaves) leaver.abort(new Error("gone"));
          const giveBack = await slot.catch(() => null);
          if (!giveBack) return;
          atWork.set(adapter, (atWork.get(adapter) ?? 0) + 1);
          expect(slots.running()).toBeLessThanOrEqual(limit.total);
          expect(atWork.get(adapter)).toBeLessThanOrEqual(limit.perAdapter);
          for (let turn = 0; turn < turns; turn++) await settled();
          atWork.set(adapter, (atWork.get(adapter) ?? 0) - 1);
          giveBack();
        });
        await Promise.all(all);
        expect(slots.running()).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});
