/** Queued starts that can't begin, because governance is silent, keep no plan of a dead worker back. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startEngine } from "./engine.ts";
import { openLane, type Lane } from "./lane.ts";
import { endState } from "./ledger.ts";
import { part, request } from "./plan-fixtures.ts";

let lane: Lane;
beforeAll(async () => {
  lane = await openLane();
});
afterAll(() => lane.close());

it("plans are taken over while a round of queued starts waits, and a stop ends that round", async () => {
  let rounds = 0;
  const engine = await startEngine(lane.db.connection, {
    beginQueuedStarts(signal) {
      rounds++;
      return new Promise((done) => signal.addEventListener("abort", () => done([])));
    },
  });
  lane.setComponentBehaviours({});
  // Nobody is notified of it: only a sweep finds it.
  const planId = await lane.start(request("beside", [part("a")]));
  await lane.read(planId);
  expect((await endState(lane.db.database.db, planId)).plan.status).toBe("COMPLETED");
  expect(rounds).toBe(1);
  await engine.close();
  expect(rounds).toBe(1);
});
