import { sql } from "../../src/platform/db/sql.ts";
import type { ProvisioningBody } from "../../src/coordinator/starts/acceptance/request-schema.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startMockAdapter } from "../../src/adapters/mock/server.ts";
import { startEngine, type TestEngine } from "./engine.ts";
import { holdAnswers } from "./held-answers.ts";
import { openLane, type Lane } from "./lane.ts";
import { endState, expectFaithful, type EndState } from "./ledger.ts";
import { part, request } from "./plan-fixtures.ts";
import { eventually } from "../support/eventually.ts";

let lane: Lane;
beforeAll(async () => {
  lane = await openLane();
});
afterAll(() => lane.close());

let units = 0;
const freshUnit = (): string => `trouble-${++units}`;

/** Only while it is the one engine: a second one takes plans that wait for longer than a second. */
let engine: TestEngine;

async function run(body: ProvisioningBody): Promise<{ planId: string; state: EndState }> {
  const planId = await lane.start(body);
  await engine.drive(planId);
  const seen = await lane.read(planId);
  await expectFaithful(lane.db.database.db, planId, { seen, calls: lane.calls(planId) });
  return { planId, state: await endState(lane.db.database.db, planId) };
}

describe("an adapter", () => {
  beforeAll(async () => {
    engine = await startEngine(lane.db.connection);
  });
  afterAll(() => engine.close());

  it("that can't be reached leaves the component as it was", async () => {
    const second = await startMockAdapter();
    const template = await lane.register(second.url);
    const held = await holdAnswers(lane.adapter.url, "/v1/provision");
    onTestFinished(() => held.close());
    const heldTemplate = await lane.register(held.url);
    const unitId = freshUnit();
    const bodyOf = (version: string): ProvisioningBody => {
      const body = request(unitId, [part("a", [], version), part("b", ["a"], version), part("c", ["b"])]);
      const { components } = body.descriptor as { components: { infrastructureTemplateId: string }[] };
      components[1]!.infrastructureTemplateId = template;
      return body;
    };
    lane.setComponentBehaviours({});
    const before = (await run(bodyOf("1"))).state;
    const body = bodyOf("2");
    const { components } = body.descriptor as { components: { infrastructureTemplateId: string }[] };
    components[0]!.infrastructureTemplateId = heldTemplate;
    const planId = await lane.start(body);
    await engine.drive(planId);
    await eventually("the call for a", () =>
      lane.calls(planId).some(({ operation }) => operation === "provision"),
    );
    await second.close();
    held.release();
    await lane.read(planId);
    const state = await endState(lane.db.database.db, planId);
    expect(state.plan.status).toBe("FAILED");
    expect(state.tasks).toMatchObject({
      "provision:a": "COMPLETED",
      "provision:b": "FAILED",
      "provision:c": "SKIPPED",
    });
    expect(state.components["a"]).toMatchObject({ status: "DEPLOYED", specific: { version: "2" } });
    expect(state.components["b"]).toEqual(before.components["b"]);
    expect(state.components["c"]).toEqual(before.components["c"]);
  });

  it("that is at work but gives no token is asked again with the identical call", async () => {
    lane.setComponentBehaviours({ a: { odd: { start: { name: "running-200", times: 2 } } } });
    const { planId, state } = await run(request(freshUnit(), [part("a")]));
    expect(state.plan.status).toBe("COMPLETED");
    expect(lane.calls(planId).filter(({ operation }) => operation === "provision")).toHaveLength(3);
  });

  it("that is registered for no environment any more fails the task without a call", async () => {
    lane.setComponentBehaviours({});
    const planId = await lane.start(request(freshUnit(), [part("a")]));
    await sql`update plan_tasks set adapter_url = null, adapter_id = 'urn:test:itm:gone'
      where plan_id = ${planId} and stage = 1`.execute(lane.db.database.db);
    await engine.drive(planId);
    await lane.read(planId);
    const state = await endState(lane.db.database.db, planId);
    expect(state.tasks["provision:a"]).toBe("FAILED");
    expect(state.components).toEqual({});
  });
});

describe("what is at work", () => {
  it("is never more than the limit of an adapter, and a second unit does not wait for all of the first", async () => {
    const narrow = await startEngine(lane.db.connection, { slots: { total: 3, perAdapter: 2 } });
    const delayMs = 60;
    lane.setComponentBehaviours({}, { operations: { provision: { delayMs } } });
    const many = Array.from({ length: 20 }, (_none, n) => part(`p${n}`));
    const first = await lane.start(request(freshUnit(), many));
    const second = await lane.start(request(freshUnit(), [part("q")]));
    await Promise.all([narrow.drive(first), narrow.drive(second)]);
    const [long] = await Promise.all([lane.read(first), lane.read(second)]);
    await narrow.close();
    // By the adapter's own clock: the order of events of two plans is that of their writing, not of what happened.
    const arrivals = [...lane.calls(first), ...lane.calls(second)]
      .filter(({ operation }) => operation === "provision")
      .map(({ time }) => Date.parse(time));
    expect(arrivals).toHaveLength(21);
    const together = arrivals.map((at) =>
      arrivals.filter((other) => other >= at && other < at + delayMs - 5),
    );
    expect(Math.max(...together.map(({ length }) => length))).toBe(2);
    const { rows } = await sql<{ last: number }>`select max(id) as last from events
      where stream = ${`plan:${second}`}`.execute(lane.db.database.db);
    const after = long.filter((event) => event.id > (rows[0]?.last ?? 0)).length;
    expect(after).toBeGreaterThan(long.length / 4);
  });
});
