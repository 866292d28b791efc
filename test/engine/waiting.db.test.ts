/** Whatever a plan goes through: what has not ended says why, at every moment that anybody looks. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { isTerminal } from "../../src/coordinator/execution/transitions.ts";
import type { Waiting } from "../../src/coordinator/execution/types.ts";
import { readPlan, readTasks } from "../../src/coordinator/plans/store.ts";
import { planWaiting, waitingContextOf, waitingOf } from "../../src/coordinator/plans/waiting.ts";
import { startEngine, type TestEngine } from "./engine.ts";
import { openLane, type Lane } from "./lane.ts";
import { accept, planFixtures } from "./plan-fixtures.ts";

let lane: Lane;
let engine: TestEngine;
const polling = { initialMs: 5, factor: 1.5, maxMs: 40 };

beforeAll(async () => {
  lane = await openLane();
  engine = await startEngine(lane.db.connection, { slots: { total: 2, perAdapter: 2 } });
});
afterAll(async () => {
  await engine.close();
  await lane.close();
});

const isReason = (waiting: Waiting | null): boolean =>
  waiting !== null &&
  waiting.reason.length > 5 &&
  !Number.isNaN(Date.parse(waiting.since)) &&
  Boolean(waiting.next);

/** What says nothing although it has not ended; and how many there were to ask. */
async function look(planId: string): Promise<{ silent: string[]; asked: number; isOver: boolean }> {
  const { db } = lane.db.database;
  const plan = await readPlan(db, planId, false);
  if (!plan) throw new Error("no plan");
  const around = waitingContextOf(plan, await readTasks(db, planId, false), { now: new Date(), polling });
  const open = [...around.tasks.values()].filter(({ status }) => !isTerminal(status));
  const silent = open.filter((task) => !isReason(waitingOf(task, around))).map(({ taskId }) => taskId);
  const isOver = isTerminal(plan.status);
  if (!isOver && planWaiting(around) === null) silent.push("the plan");
  return { silent, asked: open.length, isOver };
}

it.each(planFixtures)("$name", async (fixture) => {
  const { name, before, allRequested } = fixture;
  const unit = `waiting ${name}`;
  lane.setComponentBehaviours({});
  if (before) {
    const earlier = await lane.start(before(unit));
    await engine.drive(earlier);
    await lane.read(earlier);
  }
  lane.setComponentBehaviours(allRequested ?? {}, { delayMs: 5 });
  const planId = await accept(lane, fixture, unit);
  let seen = await look(planId);
  const silent = new Set(seen.silent);
  let { asked } = seen;
  await engine.drive(planId);
  while (!seen.isOver) {
    seen = await look(planId);
    seen.silent.forEach((each) => silent.add(each));
    asked += seen.asked;
  }
  expect([...silent]).toEqual([]);
  if (name !== "empty") expect(asked).toBeGreaterThan(0);
});
