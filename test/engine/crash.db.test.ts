import { describe, expect, it } from "vitest";
import { crashAfterEveryEvent } from "./crash-after-every-event.ts";
import { openLane } from "./lane.ts";
import { planFixtures } from "./plan-fixtures.ts";

describe.concurrent("a worker that dies at any write", () => {
  it.each(planFixtures)("leaves a plan that ends as if nothing had been: $name", async (fixture) => {
    const lane = await openLane();
    try {
      const report = await crashAfterEveryEvent(lane, fixture);
      // A claim, an end, and at least a start and an outcome between them where there is something to do.
      expect(report.runs).toBeGreaterThanOrEqual(fixture.name === "empty" ? 4 : 8);
      if (fixture.name !== "empty") expect(report.repeats).toBeGreaterThan(0);
    } finally {
      await lane.close();
    }
  });
});
