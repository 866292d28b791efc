/** Has every call of a plan answered into a connection that breaks, so that each has to be made again. */
import { expect } from "vitest";
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import type { TestEngine } from "./engine.ts";
import type { Lane } from "./lane.ts";
import { endState, expectFaithful } from "./ledger.ts";
import { accept, type PlanFixture } from "./plan-fixtures.ts";

const breaking: RequestedBehaviour = {
  odd: {
    validate: { name: "reset-after", times: 1 },
    start: { name: "reset-after", times: 1 },
    poll: { name: "reset-after", times: 1 },
  },
};

let units = 0;

/** Returns the number of calls that were repeated. */
export async function repeatEveryTask(lane: Lane, engine: TestEngine, fixture: PlanFixture): Promise<number> {
  const db = lane.db.database.db;
  const run = async (fallback: RequestedBehaviour): Promise<string> => {
    const unitId = `repeating-${++units}`;
    lane.setComponentBehaviours(fixture.allRequested ?? {});
    if (fixture.before) {
      const planId = await lane.start(fixture.before(unitId));
      await engine.drive(planId);
      await lane.read(planId);
    }
    lane.setComponentBehaviours(fixture.allRequested ?? {}, fallback);
    lane.service.breaksFirst = fallback === breaking;
    const planId = await accept(lane, fixture, unitId);
    await engine.drive(planId);
    const seen = await lane.read(planId);
    await expectFaithful(db, planId, { seen, calls: lane.calls(planId) });
    return planId;
  };
  const undisturbed = await endState(db, await run({}));
  const planId = await run(breaking);
  expect(await endState(db, planId)).toEqual(undisturbed);
  const byKey = Map.groupBy(lane.calls(planId), (call) => call.idempotencyKey);
  expect([...byKey.keys()].map(String).sort()).toEqual(
    Object.keys(undisturbed.tasks)
      .filter((id) => !id.startsWith("policy:"))
      .map((id) => `${planId}:${id.replace("unit", `repeating-${units}`)}`)
      .sort(),
  );
  for (const [key, calls] of byKey) expect(calls, String(key)).toHaveLength(2);
  return byKey.size;
}
