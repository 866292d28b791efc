import { describe, expect, it } from "vitest";
import { mutations } from "./mutations.ts";
import { simulate } from "./simulate.ts";

const seeds = 100;

describe("the simulated engine", () => {
  it(`breaks nothing in ${seeds} seeds`, async () => {
    const first = Date.now() % 2 ** 31;
    const breaches: string[] = [];
    const covered = new Set<string>();
    for (let seed = first; seed < first + seeds; seed++) {
      const report = await simulate(seed);
      breaches.push(...report.breaches.map((breach) => `seed ${seed}: ${breach}`));
      for (const [name, count] of Object.entries(report.counts)) if (count > 0) covered.add(name);
    }
    expect(breaches).toEqual([]);
    expect([...covered]).toEqual(
      expect.arrayContaining([
        "plans COMPLETED",
        "plans FAILED",
        "plans TERMINATED",
        "takeovers",
        "repeated calls",
      ]),
    );
  });

  it("is the same again for the same seed", async () => {
    expect(await simulate(17)).toEqual(await simulate(17));
  });
});

/** In so many seeds each mistake shows. */
const maxSeeds = 800;

describe("the judge finds out when", () => {
  it.each(Object.keys(mutations))("%s", async (name) => {
    for (let seed = 1; seed <= maxSeeds; seed++) {
      const { breaches } = await simulate(seed, mutations[name]?.());
      if (breaches.length > 0) return;
    }
    expect.fail(`Not found in ${maxSeeds} seeds.`);
  });
});
