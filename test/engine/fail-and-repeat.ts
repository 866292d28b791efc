/** Each task of a plan fails once, and each call has to be repeated once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEngine, type TestEngine } from "./engine.ts";
import { failEveryTask } from "./fail-every-task.ts";
import { openLane, type Lane } from "./lane.ts";
import type { PlanFixture } from "./plan-fixtures.ts";
import { repeatEveryTask } from "./repeat-every-task.ts";

/** Adds the tests of these plans to the file that calls it. */
export function failAndRepeat(fixtures: PlanFixture[]): void {
  let lane: Lane;
  let engine: TestEngine;
  beforeAll(async () => {
    lane = await openLane();
    engine = await startEngine(lane.db.connection);
  });
  afterAll(async () => {
    await engine.close();
    await lane.close();
  });

  describe("whichever task fails", () => {
    it.each(fixtures)("stops what needs it and nothing else: $name", async (fixture) => {
      const failureCount = await failEveryTask(lane, engine, fixture);
      if (fixture.name !== "empty") expect(failureCount).toBeGreaterThan(0);
    });
  });

  describe("whichever call has to be repeated", () => {
    it.each(fixtures)("acts once, under one key, with one body: $name", async (fixture) => {
      const repeated = await repeatEveryTask(lane, engine, fixture);
      if (fixture.name !== "empty") expect(repeated).toBeGreaterThan(0);
    });
  });
}
