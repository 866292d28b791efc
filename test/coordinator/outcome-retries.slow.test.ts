/** Unknown outcomes that adapters are asked about by the clock. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import {
  registerAdapter,
  startWholeServer,
  until,
  mockAdapterId,
  type WholeServer,
} from "../support/server.ts";
import { ended, hullId, ships, start } from "./ships.ts";

let server: WholeServer;
let count = 0;
const delays = [10, 20, 30];

beforeAll(async () => {
  server = await startWholeServer({
    configure({ coordinator }) {
      coordinator.unknownOutcomes.retryDelaysMs = delays;
    },
  });
});
afterAll(() => server.close());
beforeEach(() => declare(false));
afterEach(() => server.mock.setBehaviours({}));

const declare = (safeToRepeat: boolean): Promise<void> =>
  registerAdapter(server, { id: mockAdapterId, url: server.mock.url, properties: { safeToRepeat } });
const always = Number.MAX_SAFE_INTEGER;
const freshUnit = () => ships(`urn:dmb:dp:sea:retried${++count}:0`);
type Unit = ReturnType<typeof freshUnit>;

const lost = {
  components: {
    [hullId]: { operations: { provision: { odd: { start: { name: "reset-after", times: always } } } } },
  },
} as const;
/** A plan whose call was lost after it had left; the adapter has deployed the component. */
async function lostCall(): Promise<{ unit: Unit; plan: string }> {
  const unit = freshUnit();
  server.mock.setBehaviours(lost);
  const plan = await start(server, unit);
  expect(await ended(server, plan)).toBe("FAILED");
  return { unit, plan };
}
/** A plan that was given up while the adapter was at work under a token. */
async function lostToken(): Promise<{ unit: Unit; plan: string }> {
  const unit = freshUnit();
  const slow = { mode: "async", runningMs: 600_000, terminate: "unsupported" } as const;
  server.mock.setBehaviours({ components: { [hullId]: { operations: { provision: slow } } } });
  const plan = await start(server, unit);
  await until(
    () => entries(unit),
    ({ body }) => typeof body.data[0]?.evidence.token === "string",
  );
  await server.coordinator({ method: "POST", path: `/v1/execution-plans/${plan}/terminate?mode=forced` });
  expect(await ended(server, plan)).toBe("TERMINATED");
  return { unit, plan };
}
const entries = (unit: Unit, settled = false) =>
  server.coordinator({ path: `/v1/unknown-outcomes?deployment-unit-id=${unit.id}&settled=${settled}` });
const settled = async (unit: Unit): Promise<any> =>
  (
    await until(
      () => entries(unit, true),
      ({ body }) => body.data.length === 1,
    )
  ).body.data[0];
const openWith = async (unit: Unit, next: string): Promise<any> =>
  (
    await until(
      () => entries(unit),
      ({ body }) => body.data[0]?.next.includes(next),
    )
  ).body.data[0];
const statusOf = async (unit: Unit): Promise<any> => {
  const path = `/v1/deployment-units/${unit.id}/components/${hullId}/provisioning-status?environment=development`;
  return (await server.coordinator({ path })).body.status;
};
const provisions = () => server.mock.journal().filter(({ operation }) => operation === "provision");

describe("with a token", () => {
  it("the adapter is polled until it says how it ended", async () => {
    const { unit, plan } = await lostToken();
    server.mock.finish();
    const entry = await settled(unit);
    expect(entry).toMatchObject({
      state: "SETTLED",
      settlement: { outcome: "DEPLOYED", by: `adapter:${mockAdapterId}` },
    });
    expect(await statusOf(unit)).toBe("DEPLOYED");
    const { rows } =
      await sql`select actor, operation from audit where subject like ${`plan:${plan}/%`}`.execute(
        server.db.database.db,
      );
    expect(rows).toEqual([{ actor: "service:default/plinth", operation: "retryUnknownOutcome" }]);
  });

  it("it is asked as often as the configuration says, and says so", async () => {
    const { unit } = await lostToken();
    await openWith(unit, "The adapter was asked 3 times and is not asked again.");
    // A retry is counted before it is made.
    await expect
      .poll(async () => (await entries(unit)).body.data[0])
      .toMatchObject({ state: "OPEN", evidence: { retries: 3, nextRetryAt: null, polls: 3 } });
  });

  it("it is not asked again once it knows the token no more", async () => {
    const { unit } = await lostToken();
    server.mock.forget();
    const entry = await openWith(unit, "The adapter does not know the token any more.");
    expect(entry.evidence.nextRetryAt).toBeNull();
  });

  it("the next time is shown", async () => {
    const { unit, plan } = await lostToken();
    await openWith(unit, "is not asked again");
    const at = "2999-01-01T00:00:00.000Z";
    await sql`update unknown_outcomes set retries = 0, retry_ended = null, next_retry_at = ${at}
      where plan_id = ${plan}`.execute(server.db.database.db);
    const entry = await openWith(unit, `The adapter is asked again at ${at}.`);
    expect(entry.evidence.nextRetryAt).toBe(at);
  });
});

describe("a retry that cannot be made", () => {
  /** Beginning again, as if the plan had ended just now. */
  const again = (plan: string) =>
    sql`update unknown_outcomes set retries = 0, polls = 0, retry_ended = null, next_retry_at = now()
      where plan_id = ${plan}`.execute(server.db.database.db);
  const afterwards = async (unit: Unit): Promise<any> => {
    const { body } = await until(
      () => entries(unit),
      (answer) => /not be asked before|not asked again/.test(answer.body.data[0]?.next),
    );
    return body.data[0];
  };

  it("while an operation is active on the unit is not counted, and the entry says why", async () => {
    const { unit, plan } = await lostToken();
    await openWith(unit, "is not asked again");
    const later = await start(server, unit);
    await again(plan);
    const entry = await afterwards(unit);
    expect(entry).toMatchObject({
      state: "OPEN",
      evidence: { retries: 0, polls: 0, nextRetryAt: expect.any(String) },
    });
    expect(entry.next).toContain(
      `It could not be asked before: An operation is active on ${unit.id} in development (plan ${later}).`,
    );
    await server.coordinator({ method: "POST", path: `/v1/execution-plans/${later}/terminate?mode=forced` });
    await ended(server, later);
  });

  it("because its call cannot be made again is not counted, and keeps no other from being asked", async () => {
    await declare(true);
    const { unit, plan } = await lostCall();
    await openWith(unit, "is not asked again");
    await sql`update execution_plans set request = 'null' where id = ${plan}`.execute(server.db.database.db);
    const calls = provisions().length;
    await again(plan);
    const entry = await afterwards(unit);
    expect(entry).toMatchObject({ state: "OPEN", evidence: { retries: 0, polls: 0 } });
    expect(entry.next).toContain("The call could not be prepared; the log has the cause.");
    expect(provisions()).toHaveLength(calls);
    const other = await lostToken();
    server.mock.finish();
    expect((await settled(other.unit)).settlement.outcome).toBe("DEPLOYED");
  });
});

describe("without a token", () => {
  it("the identical call is repeated where the adapter declares that it is safe", async () => {
    await declare(true);
    const { unit } = await lostCall();
    const before = provisions();
    server.mock.setBehaviours({});
    const entry = await settled(unit);
    expect(entry.settlement).toMatchObject({ outcome: "DEPLOYED", by: `adapter:${mockAdapterId}` });
    expect(await statusOf(unit)).toBe("DEPLOYED");
    const first = before.at(-1)!;
    const after = provisions().slice(before.length);
    for (const { idempotencyKey, bodyHash, repeat, otherBody } of after)
      expect({ idempotencyKey, bodyHash, repeat, otherBody }).toEqual({
        idempotencyKey: first.idempotencyKey,
        bodyHash: first.bodyHash,
        repeat: true,
        otherBody: false,
      });
    expect(server.mock.journal().filter(({ otherBody }) => otherBody)).toEqual([]);
  });

  it("a token that the repeat brings is polled", async () => {
    await declare(true);
    const unit = freshUnit();
    const odd = { start: { name: "reset-before", times: always } } as const;
    server.mock.setBehaviours({ components: { [hullId]: { operations: { provision: { odd } } } } });
    expect(await ended(server, await start(server, unit))).toBe("FAILED");
    const slow = { mode: "async", runningMs: 100 } as const;
    server.mock.setBehaviours({ components: { [hullId]: { operations: { provision: slow } } } });
    const entry = await settled(unit);
    expect(entry).toMatchObject({
      settlement: { outcome: "DEPLOYED" },
      evidence: { token: expect.any(String) },
    });
  });

  it("nothing is repeated where it does not", async () => {
    const { unit, plan } = await lostCall();
    const calls = provisions().length;
    server.mock.setBehaviours({});
    // What ends after it is asked about first.
    const other = await lostToken();
    server.mock.finish();
    await settled(other.unit);
    const { body } = await entries(unit);
    expect(body.data[0]).toMatchObject({
      planId: plan,
      state: "OPEN",
      evidence: { retries: 0, nextRetryAt: null, polls: 0 },
    });
    // Only that of the other unit.
    expect(provisions()).toHaveLength(calls + 1);
  });
});
