import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { divide, nextShare, type Holder } from "./divide.ts";

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const limits = fc.integer({ min: 1, max: 200 });
const demandsOf = (max: number) => fc.array(fc.integer({ min: 0, max }), { minLength: 1, maxLength: 9 });

describe("a limit that is divided", () => {
  it("is given away wholly where it is needed, never more, and nobody who fits is left out", () => {
    fc.assert(
      fc.property(limits, demandsOf(300), fc.nat(50), (limit, demands, rotation) => {
        const shares = divide(limit, demands, rotation);
        const wanting = demands.filter((demand) => demand > 0).length;
        expect(sum(shares)).toBe(wanting === 0 ? 0 : limit);
        const equal = Math.floor(limit / Math.max(1, wanting));
        for (const [index, demand] of demands.entries()) {
          expect(Number.isInteger(shares[index])).toBe(true);
          expect(shares[index]).toBeGreaterThanOrEqual(Math.min(demand, equal));
          if (demand === 0) expect(shares[index]).toBe(0);
        }
        // Headroom is given only when every demand is met.
        const over = demands.some((demand, index) => shares[index]! > demand);
        if (over)
          for (const [index, demand] of demands.entries())
            expect(shares[index]).toBeGreaterThanOrEqual(demand);
      }),
    );
  });

  it("goes to each process in rotation when there are more of them than places", () => {
    const rotations = Array.from({ length: 6 }, (_, rotation) => divide(2, [5, 5, 5], rotation));
    for (const process of [0, 1, 2]) expect(sum(rotations.map((shares) => shares[process]!))).toBe(4);
  });
});

/** A process as the others see it, and what it has under way. */
interface Process extends Holder {
  used: number;
  usable: number;
}

const round = (limit: number, all: Process[], own: number, rotation: number): void => {
  const mine = all[own]!;
  const next = nextShare({ limit, holders: all, own, used: mine.used, rotation });
  mine.share = next.share;
  mine.usable = next.usable;
};

describe("processes that take shares one after the other", () => {
  it("never hold more than the limit together, whatever happens between their rounds", () => {
    const step = fc.record({
      process: fc.nat(4),
      what: fc.constantFrom("round", "want", "begin", "end", "die"),
      amount: fc.integer({ min: 0, max: 40 }),
    });
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 200 }), (limit, steps) => {
        const all: Process[] = Array.from({ length: 5 }, () => ({ share: 0, demand: 0, used: 0, usable: 0 }));
        for (const [rotation, { process, what, amount }] of steps.entries()) {
          const mine = all[process]!;
          if (what === "round") round(limit, all, process, rotation);
          else if (what === "want") mine.demand = Math.max(mine.used, amount);
          else if (what === "begin") mine.used = Math.max(mine.used, Math.min(mine.usable, mine.demand));
          else if (what === "end") mine.used = Math.max(0, mine.used - amount);
          else Object.assign(mine, { share: 0, demand: 0, used: 0, usable: 0 });
          expect(sum(all.map(({ share }) => share))).toBeLessThanOrEqual(limit);
          expect(sum(all.map(({ used }) => used))).toBeLessThanOrEqual(limit);
          for (const { used, share, usable } of all) {
            expect(used).toBeLessThanOrEqual(share);
            expect(usable).toBeLessThanOrEqual(share);
          }
        }
      }),
    );
  });

  it("have what the division says after two rounds, when all that is to be given back can be", () => {
    fc.assert(
      fc.property(limits, demandsOf(100), demandsOf(100), fc.nat(9), (limit, before, after, rotation) => {
        const all: Process[] = before.map((demand) => ({ share: 0, demand, used: 0, usable: 0 }));
        for (const demands of [before, after]) {
          for (const [index, mine] of all.entries()) mine.demand = demands[index] ?? 0;
          for (const _ of [1, 2]) for (const index of all.keys()) round(limit, all, index, rotation);
        }
        const shares = all.map(({ share }) => share);
        const demands = all.map(({ demand }) => demand);
        const least = divide(limit, demands, rotation);
        for (const [index, demand] of demands.entries())
          expect(shares[index]).toBeGreaterThanOrEqual(Math.min(demand, least[index]!));
      }),
    );
  });

  it("change nothing while nobody waits", () => {
    const holders = [
      { share: 20, demand: 3 },
      { share: 12, demand: 12 },
    ];
    expect([0, 1].map((own) => nextShare({ limit: 32, holders, own, used: 3, rotation: 0 }).share)).toEqual([
      20, 12,
    ]);
  });

  it("hold what they use beyond their share, and begin nothing more", () => {
    const holders = [
      { share: 4, demand: 9 },
      { share: 4, demand: 9 },
    ];
    expect(nextShare({ limit: 8, holders, own: 0, used: 7, rotation: 0 })).toEqual({ share: 7, usable: 4 });
    const full = [{ share: 7, demand: 9 }, holders[1]!];
    expect(nextShare({ limit: 8, holders: full, own: 0, used: 7, rotation: 0 })).toEqual({
      share: 7,
      usable: 4,
    });
  });
});
