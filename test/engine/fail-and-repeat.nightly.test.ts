import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEngine, type TestEngine } from "./engine.ts";
import { failEveryTask } from "./fail-every-task.ts";
import { openLane, type Lane } from "./lane.ts";
import { hasManyTasks, planFixtures } from "./plan-fixtures.ts";
import { repeatEveryTask } from "./repeat-every-task.ts";

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

const fixtures = planFixtures.filter(hasManyTasks);

describe("whichever task fails", () => {
  it.each(fixtures)("stops what needs it and nothing else: $name", async (fixture) => {
    const failureCount = await failEveryTask(lane, engine, fixture);
    expect(failureCount).toBeGreaterThan(0);
  });
});

describe("whichever call has to be repeated", () => {
  it.each(fixtures)("acts once, under one key, with one body: $name", async (fixture) => {
    const repeated = await repeatEveryTask(lane, engine, fixture);
    expect(repeated).toBeGreaterThan(0);
  });
});
