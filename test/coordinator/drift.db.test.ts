/** Drift checks over HTTP: what they find, how they wait, and that they change nothing. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import { eventually } from "../support/eventually.ts";
import { startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";
import { input, testRefusals, type Refusal } from "./refusals.ts";
import { ended, hullId, mastId, sailId, ships, start } from "./ships.ts";

let server: WholeServer;
let count = 0;
const production = {
  environment: "production",
  everyMinutes: 1,
  timeZone: "UTC",
  reconcile: "off",
} as const;

beforeAll(async () => {
  server = await startWholeServer({
    configure: (config) => {
      const { drift } = config.coordinator;
      config.coordinator.drift = {
        ...drift,
        schedules: [production],
        parallelComponents: 2,
        timeoutMs: 10_000,
      };
      config.coordinator.execution.callTimeoutMs = 5_000;
    },
  });
  await server.registerMock();
});
afterAll(() => server.close());
afterEach(() => server.mock.setBehaviours({}));

const template = "urn:dmb:utm:ship:1";
/** A unit of which the hull can be read back. */
const freshUnit = (environment = "development") => {
  const unit = { ...ships(`urn:dmb:dp:sea:drift${++count}:0`), environment };
  Object.assign(unit.components[0]!, { useCaseTemplateId: template, specific: { table: "hull", size: 4 } });
  return unit;
};
type Unit = ReturnType<typeof freshUnit>;

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const path = (unit: Unit, more = ""): string =>
  `/v1/deployment-units/${unit.id}/drift-checks?environment=${unit.environment}${more}`;
const begin = async (unit: Unit): Promise<string> => {
  const { status, body, text } = await server.coordinator({ method: "POST", path: path(unit) });
  expect([status, text]).toEqual([202, expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
  return body;
};
const completed = (id: string): Promise<Answer> =>
  until(
    () => server.coordinator({ path: `/v1/drift-checks/${id}` }),
    ({ body }) => body.status === "COMPLETED",
  );
const deployed = async (unit = freshUnit()): Promise<Unit> => {
  expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
  return unit;
};
/** The hull's live state, as reverse provisioning answers it. */
const live = (updates: unknown, more: object = {}): { components: Record<string, RequestedBehaviour> } => ({
  components: { [template]: { operations: { "reverse-provisioning": { updates, ...more } } } },
});
const same = { "spec.mesh.specific": { table: "hull", size: 4 } };
/** Until the mock is told to finish. */
const endless = { mode: "async", runningMs: 600_000 } as const;
const reading = live(same, endless);
/** The last call of the check about the hull. */
const callOf = (id: string) =>
  server.mock
    .journal()
    .findLast(({ idempotencyKey }) => idempotencyKey?.startsWith(`drift:${id}:${hullId}:`));
const isReading = (id: string): Promise<boolean> =>
  eventually("the reading of the hull", () => callOf(id)?.operation === "reverse-provisioning");
const stateOf = async (unit: Unit): Promise<unknown> => {
  const { rows } = await sql`select to_jsonb(u) as unit, (select json_agg(c order by component_key)
      from unit_components c where c.unit_key = u.unit_key) as components
    from units u where unit_key = ${unit.id}`.execute(server.db.database.db);
  return rows;
};
const check = async (unit: Unit): Promise<any> => (await completed(await begin(unit))).body;
const of = (body: any, id: string): any => body.components.find((each: any) => each.componentId === id);

// First: a unit of production is checked each minute, which may write an event.
describe("the operations refuse", () => {
  const unit = "/v1/deployment-units/urn:dmb:dp:sea:never:0/drift-checks";
  const post = (what: string, query: string, field: string, code = "PLATFORM_INPUT"): Refusal => [
    what,
    { method: "POST", path: `${unit}${query}` },
    400,
    code,
    field,
  ];
  const list = (what: string, query: string, field: string, code = "PLATFORM_INPUT"): Refusal => [
    what,
    { path: `${unit}?${query}` },
    400,
    code,
    field,
  ];
  testRefusals(
    () => server,
    [
      post("no environment", "", "environment"),
      post("an empty environment", "?environment=", "environment"),
      post("another environment", "?environment=moon", "environment", "COORD_UNKNOWN_ENVIRONMENT"),
      post("a unit never seen", "?environment=development", "deployment-unit-id", "COORD_NOTHING_DEPLOYED"),
      list("a list without environment", "limit=1", "environment"),
      list("a list of another environment", "environment=moon", "environment", "COORD_UNKNOWN_ENVIRONMENT"),
      list("a limit of nothing", "environment=development&limit=0", "limit"),
      list("a large limit", "environment=development&limit=101", "limit"),
      list("a broken cursor", "environment=development&after=x", "after", "COORD_INVALID_CURSOR"),
      list(
        "a cursor of no time",
        `environment=development&after=${btoa('["a","b"]')}`,
        "after",
        "COORD_INVALID_CURSOR",
      ),
      [
        "an unknown check",
        { path: "/v1/drift-checks/nobody" },
        404,
        "COORD_DRIFT_CHECK_NOT_FOUND",
        "drift-check-id",
      ],
      input("a long id", { path: `/v1/drift-checks/${"x".repeat(257)}` }, "drift-check-id"),
      input("NUL in the id", { path: "/v1/drift-checks/%00" }, "drift-check-id"),
    ],
  );
});

it("finds no drift where there is none, and says by what", async () => {
  const unit = await deployed();
  server.mock.setBehaviours(live(same));
  const before = await stateOf(unit);
  const id = await begin(unit);
  const valid = { result: "NO_DRIFT", pointers: [], problems: [], checkedBy: ["VALIDATION"] };
  const plain = { ...valid, why: "The adapter finds it valid, and can tell no more." };
  expect((await completed(id)).body).toEqual({
    id,
    deploymentUnitId: unit.id,
    environment: "development",
    status: "COMPLETED",
    trigger: "REQUESTED",
    requestedBy: "service:default/admin",
    result: "NO_DRIFT",
    waiting: null,
    createdAt: time,
    startedAt: time,
    stoppedAt: time,
    components: expect.toSatisfy((found: any[]) => {
      expect(found.toSorted((a, b) => a.componentId.localeCompare(b.componentId))).toEqual([
        {
          ...valid,
          componentId: hullId,
          why: "The adapter finds it valid, and its live state is what was deployed.",
          checkedBy: ["VALIDATION", "REVERSE_PROVISIONING"],
        },
        { ...plain, componentId: mastId },
        { ...plain, componentId: sailId },
      ]);
      return true;
    }),
  });
  expect(await stateOf(unit)).toEqual(before);
  const sent = server.mock.journal().filter(({ operation }) => operation === "provision");
  expect(sent.filter(({ idempotencyKey }) => idempotencyKey?.startsWith("drift:"))).toEqual([]);
});

describe("what is reported of a component", () => {
  it.each<[string, Parameters<WholeServer["mock"]["setBehaviours"]>[0], object]>([
    [
      "whose live state differs",
      live({ "spec.mesh.specific": { table: "hull", size: 5 } }),
      { result: "DRIFTED", why: "The live state differs in /specific/size.", pointers: ["/specific/size"] },
    ],
    [
      "that is read asynchronously",
      live({ "spec.mesh.specific.table": "keel" }, { mode: "async", runningPolls: 2 }),
      { result: "DRIFTED", pointers: ["/specific/table"] },
    ],
    [
      "that is not valid any more",
      { components: { [hullId]: { validationErrors: ["The port is gone."] }, ...live(same).components } },
      {
        result: "DRIFTED",
        why: "The adapter does not find valid any more what is deployed.",
        problems: ["The port is gone."],
      },
    ],
    [
      "that can't be read back",
      live(same, { odd: { start: { name: "501", times: 9 } } }),
      { result: "NO_DRIFT", checkedBy: ["VALIDATION"] },
    ],
    [
      "of which the reading fails",
      live(same, { outcome: "FAILED" }),
      { result: "UNKNOWN", why: "The live state could not be read: the adapter answered FAILED." },
    ],
    [
      "of which the reading is refused",
      live(same, { odd: { start: { name: "400-error", times: 9 } } }),
      { result: "UNKNOWN", why: expect.stringContaining("It is wrong.") },
    ],
    ["of which nonsense is read", live([1]), { result: "UNKNOWN", why: expect.stringContaining("compared") }],
    [
      "whose adapter fails",
      {
        components: {
          [hullId]: { operations: { validate: { odd: { validate: { name: "500", times: 9 } } } } },
        },
      },
      { result: "UNKNOWN", why: expect.stringContaining("500"), checkedBy: [] },
    ],
  ])("%s", async (_, behaviours, expected) => {
    const unit = await deployed();
    server.mock.setBehaviours(behaviours);
    const body = await check(unit);
    expect(of(body, hullId)).toMatchObject(expected);
    expect(of(body, mastId)).toMatchObject({ result: "NO_DRIFT" });
    expect(body.result).toBe(of(body, hullId).result);
  });

  it("whose adapter never answers, or whose reading never ends", async () => {
    const [silent, slow] = [await deployed(), await deployed()];
    const never = { odd: { validate: { name: "never", times: 9 } } } as const;
    server.mock.setBehaviours({ components: { [hullId]: { operations: { validate: never } } } });
    const first = await begin(silent);
    await eventually("the call that gets no answer", () => callOf(first)?.odd === "never");
    server.mock.setBehaviours(reading);
    const second = await begin(slow);
    for (const [id, expected] of [
      [first, { result: "UNKNOWN", why: expect.stringContaining("5000 ms"), checkedBy: [] }],
      [second, { result: "UNKNOWN", why: "The time of the check ran out." }],
    ] as const) {
      const { body } = await completed(id);
      expect(of(body, hullId)).toMatchObject(expected);
      expect(of(body, mastId)).toMatchObject({ result: "NO_DRIFT" });
      expect(body.result).toBe("UNKNOWN");
    }
  });

  it("whose adapter is gone", async () => {
    const unit = await deployed();
    await sql`update unit_components set infrastructure_template_id = 'urn:gone' where unit_key = ${unit.id}
      and component_key = ${mastId}`.execute(server.db.database.db);
    expect(of(await check(unit), mastId)).toMatchObject({
      result: "UNKNOWN",
      why: "No adapter is enabled for urn:gone in development.",
    });
  });
});

it("drift is reported as an event, once, and changes no state", async () => {
  const unit = await deployed();
  const before = await stateOf(unit);
  server.mock.setBehaviours(live({ "spec.mesh.specific.table": "keel" }));
  const body = await check(unit);
  const { rows } = await sql<any>`select type, data from events
    where stream = ${`unit:development:${unit.id}`}`.execute(server.db.database.db);
  expect(rows).toEqual([
    {
      type: "drift",
      data: {
        driftCheckId: body.id,
        deploymentUnitId: unit.id,
        environment: "development",
        components: [
          {
            componentId: hullId,
            result: "DRIFTED",
            why: "The live state differs in /specific/table.",
            pointers: ["/specific/table"],
          },
        ],
      },
    },
  ]);
  expect(await stateOf(unit)).toEqual(before);
  const metrics = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${server.token("admin")}` },
  });
  expect(await metrics.text()).toMatch(/plinth_drift_units\{environment="development",result="DRIFTED"\} \d/);
});

it("one check at a time is open on a unit: who asks again gets its id", async () => {
  const unit = await deployed();
  server.mock.setBehaviours(reading);
  const ids = await Promise.all(Array.from({ length: 5 }, () => begin(unit)));
  expect(new Set(ids).size).toBe(1);
  await isReading(ids[0]!);
  server.mock.finish();
  await completed(ids[0]!);
  expect(await begin(unit)).not.toBe(ids[0]);
});

it("waits for the end of an operation on the unit, and says so", async () => {
  const unit = await deployed();
  server.mock.setBehaviours({ default: { operations: { provision: endless } }, ...live(same) });
  const plan = await start(server, unit);
  const id = await begin(unit);
  const { body } = await until(
    () => server.coordinator({ path: `/v1/drift-checks/${id}` }),
    (answer) => answer.body.waiting !== null,
  );
  expect(body).toMatchObject({
    status: "SCHEDULED",
    waiting: { reason: `An operation is active on the unit (plan ${plan}).`, since: time },
  });
  server.mock.setBehaviours(live(same));
  server.mock.finish();
  expect(await ended(server, plan)).toBe("COMPLETED");
  expect((await completed(id)).body).toMatchObject({ result: "NO_DRIFT", waiting: null });
});

it("ends as unknown when the unit is never at rest", async () => {
  const unit = await deployed();
  server.mock.setBehaviours({ default: { operations: { provision: endless } } });
  const plan = await start(server, unit);
  const id = await begin(unit);
  await sql`update drift_checks set created_at = now() - interval '31 minutes' where id = ${id}`.execute(
    server.db.database.db,
  );
  expect((await completed(id)).body).toMatchObject({
    result: "UNKNOWN",
    components: [],
    waiting: { reason: `An operation is active on the unit (plan ${plan}).`, since: time },
  });
  await server.coordinator({ method: "POST", path: `/v1/execution-plans/${plan}/terminate?mode=forced` });
  await ended(server, plan);
});

describe("a check that fails each time", () => {
  /** A unit of which the database refuses every result. */
  const refused = async (): Promise<Unit> => {
    const unit = await deployed();
    const { db } = server.db.database;
    await sql`create or replace function refuse_result() returns trigger language plpgsql as
      'begin raise exception ''refused: %'', new.components; end'`.execute(db);
    await sql`create trigger ${sql.raw(`refuse_${count}`)} before update on drift_checks for each row
      when (new.unit_key = ${sql.lit(unit.id)} and json_array_length(new.components) > 0)
      execute function refuse_result()`.execute(db);
    return unit;
  };
  const read = (id: string): Promise<Answer> => server.coordinator({ path: `/v1/drift-checks/${id}` });
  /** Until it has ended, however long its pauses are. */
  const hurried = (id: string): Promise<Answer> =>
    until(
      async () => {
        await sql`with due as (update drift_checks set next_attempt_at = now() where id = ${id} and next_attempt_at is not null)
          select pg_notify('plinth_drift', '')`.execute(server.db.database.db);
        return read(id);
      },
      ({ body }) => body.status === "COMPLETED",
    );

  it("waits with the reason, ends as unknown after some attempts, and then lets others of its unit begin", async () => {
    const unit = await refused();
    const id = await begin(unit);
    const { body: waiting } = await until(
      () => read(id),
      ({ body }) => body.waiting !== null,
    );
    expect(waiting).toMatchObject({
      result: null,
      waiting: {
        reason: expect.stringMatching(
          /^The check could not be made; the log has the cause\. It is tried again at \S+Z\.$/,
        ),
        since: time,
      },
    });
    const { body: last } = await hurried(id);
    expect(last).toMatchObject({
      result: "UNKNOWN",
      components: [],
      waiting: { reason: "The check could not be made; the log has the cause. It was tried 5 times." },
    });
    expect(await begin(unit)).not.toBe(id);
  });

  it("is tried as often where it has waited long for an operation", async () => {
    const unit = await refused();
    const id = await begin(unit);
    await sql`update drift_checks set created_at = now() - interval '31 minutes' where id = ${id}`.execute(
      server.db.database.db,
    );
    const { body } = await hurried(id);
    expect(body.waiting.reason).toContain(" It was tried 5 times.");
  });

  it("ends where each attempt has ended with its process", async () => {
    const unit = await deployed();
    await sql`insert into drift_checks (id, unit_key, unit_id, environment, status, trigger, requested_by, traceparent,
        created_at, fence, attempts)
      values (${`fatal-${unit.id}`}, ${unit.id}, ${unit.id}, ${unit.environment}, 'RUNNING', 'SCHEDULED',
        'service:default/plinth', '', now(), 5, 5)`.execute(server.db.database.db);
    expect((await completed(`fatal-${unit.id}`)).body).toMatchObject({
      result: "UNKNOWN",
      waiting: { reason: "The check was begun 5 times and has not ended." },
    });
  });
});

it("an operation that begins meanwhile makes the result unknown", async () => {
  const unit = await deployed();
  server.mock.setBehaviours(reading);
  const id = await begin(unit);
  await isReading(id);
  const plan = await start(server, unit);
  server.mock.finish();
  const { body } = await completed(id);
  expect(body.result).toBe("UNKNOWN");
  expect(of(body, hullId)).toMatchObject({
    result: "UNKNOWN",
    why: "An operation on the unit began during the check.",
  });
  await ended(server, plan);
});

it("checks that nobody was told of begin too, more than are made at once", async () => {
  const units = await Promise.all(Array.from({ length: 6 }, () => deployed()));
  // As after a restore, or where the process that was told has stopped.
  for (const { id, environment } of units) {
    await sql`insert into drift_checks (id, unit_key, unit_id, environment, status, trigger, requested_by, traceparent,
        created_at)
      values (${`untold-${id}`}, ${id}, ${id}, ${environment}, 'SCHEDULED', 'SCHEDULED', 'service:default/plinth', '',
        now())`.execute(server.db.database.db);
  }
  for (const { id } of units) {
    expect((await completed(`untold-${id}`)).body).toMatchObject({ status: "COMPLETED", waiting: null });
  }
});

it("units of a scheduled environment are checked by the clock", async () => {
  const unit = await deployed(freshUnit("production"));
  const { body } = await until(
    () => server.coordinator({ path: path(unit) }),
    (answer) => answer.body.data[0]?.status === "COMPLETED",
  );
  expect(body.data).toMatchObject([{ trigger: "SCHEDULED", requestedBy: "service:default/plinth" }]);
  expect(body.data[0]).not.toHaveProperty("components");
});

it("the list goes on page by page, the latest first", async () => {
  const unit = await deployed();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift((await check(unit)).id);
  const seen: string[] = [];
  let after = "";
  for (;;) {
    const { body } = await server.coordinator({ path: path(unit, `&limit=2${after}`) });
    seen.push(...body.data.map((each: any) => each.id));
    if (body.meta.pagination.next === null) break;
    after = `&after=${body.meta.pagination.next}`;
  }
  expect(seen).toEqual(ids);
});
