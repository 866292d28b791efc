/** The list of operations: its shape, what it says of components, and that paging by time loses nothing. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { storeOperations, type StoredOperation } from "../support/stored-history.ts";
import { startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";
import { testRefusals, type Refusal } from "./refusals.ts";
import {
  ended,
  hullId,
  mastId,
  provisioning,
  provisioningPath,
  sailId,
  ships,
  start,
  unitId,
} from "./ships.ts";

let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
});
afterAll(() => server.close());

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const list = (query = ""): Promise<Answer> =>
  server.coordinator({ path: `/v2/provisioning-operations${query}` });
const ofUnit = (id: string, more = ""): Promise<Answer> =>
  list(`?deployment-unit-id=${encodeURIComponent(id)}${more}`);
const entry = (componentId: string, operationStatus: string, provisioningAction = "DEPLOY") => ({
  componentId,
  provisioningAction,
  operationStatus,
});

describe("a record", () => {
  it("is empty where nothing was started", async () => {
    const answer = await list();
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: [], meta: { pagination: { limit: 20, minStartTime: null, maxStartTime: null } } },
    ]);
  });

  it("has the fields of the interface", async () => {
    const token = await start(server);
    await ended(server, token);
    const { body } = await ofUnit(unitId);
    const startTime = body.data[0].operation.startTime;
    expect(body).toEqual({
      data: [
        {
          operation: {
            operationId: token,
            provisioningAction: "DEPLOY",
            deploymentUnitId: unitId,
            environment: "development",
            descriptorVersion: "1.2.0",
            status: "SUCCEEDED",
            executionPlanId: token,
            originatorUri: "service:default/admin",
            startTime: time,
            stopTime: time,
            waiting: null,
          },
          components: [entry(hullId, "SUCCEEDED"), entry(mastId, "SUCCEEDED"), entry(sailId, "SUCCEEDED")],
        },
      ],
      meta: { pagination: { limit: 20, minStartTime: startTime, maxStartTime: startTime } },
    });
  });

  it("has the descriptor where it is asked for", async () => {
    const { body } = await ofUnit(unitId.toUpperCase(), "&include-descriptors=true");
    expect(body.data[0].descriptor).toEqual(ships());
  });

  it("tells of each component how it goes", async () => {
    const unit = ships("urn:dmb:dp:sea:slow:0");
    (unit.components[0] as { components?: unknown }).components = [{ name: "keel" }];
    server.mock.setBehaviours({
      components: { [mastId]: { operations: { provision: { mode: "async", runningMs: 60_000 } } } },
    });
    const token = await start(server, unit);
    const { body } = await until(
      () => ofUnit(unit.id),
      // Its validation is RUNNING, too; then nothing has succeeded yet.
      ({ body: { data } }) =>
        data[0].components[0].operationStatus === "SUCCEEDED" &&
        data[0].components[2].operationStatus === "RUNNING",
    );
    expect(body.data[0].operation).toMatchObject({ status: "RUNNING", stopTime: null });
    expect(body.data[0].components).toEqual([
      entry(hullId, "SUCCEEDED"),
      entry(`${hullId}:keel`, "SUCCEEDED"),
      entry(mastId, "RUNNING"),
      entry(sailId, "SCHEDULED"),
    ]);
    await server.coordinator({ method: "POST", path: `/v1/execution-plans/${token}/terminate?mode=forced` });
    await ended(server, token);
    server.mock.setBehaviours({});
    expect((await ofUnit(unit.id)).body.data[0].components).toEqual([
      entry(hullId, "SUCCEEDED"),
      entry(`${hullId}:keel`, "SUCCEEDED"),
      entry(mastId, "TERMINATED"),
      entry(sailId, "TERMINATED"),
    ]);
  });

  it("tells a failed validation of its component, and what is left alone as done", async () => {
    const unit = ships("urn:dmb:dp:sea:leaky:0");
    const token = await start(server, unit);
    await ended(server, token);
    server.mock.setBehaviours({ components: { [mastId]: { validationErrors: ["It leaks."] } } });
    const body = provisioning(unit, { preventRedeploy: true });
    (body.descriptor.components[1] as any).kind = "view";
    (body.descriptor.components[2] as any).kind = "view";
    const path = provisioningPath(unit.id);
    const { body: second } = await server.coordinator({ method: "POST", path, body });
    await ended(server, second);
    server.mock.setBehaviours({});
    expect((await ofUnit(unit.id, "&limit=1")).body.data[0].components).toEqual([
      entry(hullId, "SUCCEEDED", "NONE"),
      entry(mastId, "FAILED", "REDEPLOY"),
      entry(sailId, "TERMINATED", "REDEPLOY"),
    ]);
  });

  it("finds what a unit could be rolled back to", async () => {
    const { body } = await ofUnit("urn:dmb:dp:sea:leaky:0", "&status=SUCCEEDED&environment=development");
    expect(body.data.map(({ operation }: any) => operation.status)).toEqual(["SUCCEEDED"]);
  });
});

const base = Date.parse("2020-01-01T00:00:00.000Z");
const someEnvironments = ["development", "production"];
const someStatuses = ["SUCCEEDED", "FAILED", "TERMINATED"];

/** Few start times for many operations, so that pages end amid equal ones. */
const stored = fc
  .array(
    fc.record({
      unit: fc.nat(2),
      environment: fc.constantFrom(...someEnvironments),
      status: fc.constantFrom(...someStatuses),
      millisecond: fc.nat(8),
    }),
    { maxLength: 40 },
  )
  .map((rows) =>
    rows.map(({ unit, environment, status, millisecond }, index): StoredOperation => ({
      id: `old-${index}`,
      unitId: `urn:old:${unit}`,
      environment,
      status,
      startTime: new Date(base + millisecond).toISOString(),
    })),
  );

it("pages by time hold every operation once", async () => {
  const { db } = server.db.database;
  const filters = fc.record({
    environments: fc.subarray(someEnvironments),
    statuses: fc.subarray(someStatuses),
    unit: fc.option(fc.nat(2), { nil: undefined }),
    order: fc.constantFrom("asc", "desc"),
    limit: fc.integer({ min: 1, max: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(stored, filters, async (rows, filter) => {
      await sql`delete from execution_plans where id like 'old-%'`.execute(db);
      await storeOperations(db, rows);
      const wanted = rows.filter(
        ({ environment, status, unitId: unit }) =>
          (filter.environments.length === 0 || filter.environments.includes(environment)) &&
          (filter.statuses.length === 0 || filter.statuses.includes(status)) &&
          (filter.unit === undefined || unit === `urn:old:${filter.unit}`),
      );
      const seen = await walk(filter);
      expect(seen.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
      const times = seen.map(({ startTime }) => startTime);
      expect(times).toEqual(filter.order === "asc" ? times.toSorted() : times.toSorted().toReversed());
    }),
    { numRuns: 40 },
  );
});

interface Filter {
  environments: string[];
  statuses: string[];
  unit: number | undefined;
  order: string;
  limit: number;
}

async function walk({ environments, statuses, unit, order, limit }: Filter) {
  const seen: { id: string; startTime: string }[] = [];
  let [after, before] = [new Date(base - 1).toISOString(), new Date(base + 1000).toISOString()];
  for (;;) {
    const query = new URLSearchParams({ "sort-order": order, limit: String(limit) });
    query.set("start-time-after", after);
    query.set("start-time-before", before);
    if (environments.length > 0) query.set("environment", environments.join(","));
    if (statuses.length > 0) query.set("status", statuses.join(","));
    if (unit !== undefined) query.set("deployment-unit-id", `urn:old:${unit}`);
    const { body } = await list(`?${query.toString()}`);
    if (body.data.length === 0) return seen;
    for (const { operation } of body.data) seen.push({ id: operation.operationId, ...operation });
    const { minStartTime, maxStartTime } = body.meta.pagination;
    if (order === "asc") after = maxStartTime;
    else before = minStartTime;
  }
}

it("ends a page with long descriptors early and loses nothing", async () => {
  const { db } = server.db.database;
  const rows = [0, 1, 2, 3].map((n) => ({
    id: `long-${n}`,
    unitId: "urn:old:long",
    environment: "production",
    status: "SUCCEEDED",
    // The second and the third began together.
    startTime: new Date(base + (n === 2 ? 1 : n)).toISOString(),
  }));
  await storeOperations(db, rows);
  await sql`update execution_plans set request = json_build_object('descriptor',
      json_build_object('text', repeat('x', 4500000))) where id like 'long-%'`.execute(db);
  const page = async (more: string) => {
    // A busy machine may take longer for these megabytes than a read may take: then it answers 503, to be asked again.
    const { body } = await until(
      () => ofUnit("urn:old:long", `&include-descriptors=true&sort-order=asc${more}`),
      ({ status }) => status !== 503,
    );
    return {
      ids: body.data.map(({ operation }: any) => operation.operationId),
      last: body.meta.pagination.maxStartTime,
    };
  };
  const first = await page("");
  expect(first.ids).toEqual(["long-0", "long-1", "long-2"]);
  expect((await page(`&start-time-after=${first.last}`)).ids).toEqual(["long-3"]);
});

describe("refuses", () => {
  const bad = (what: string, query: string, field: string): Refusal => [
    what,
    { path: `/v2/provisioning-operations?${query}` },
    400,
    "PLATFORM_INPUT",
    field,
  ];
  testRefusals(
    () => server,
    [
      bad("no limit at all", "limit=0", "limit"),
      bad("a limit that is no number", "limit=many", "limit"),
      bad("two limits", "limit=1&limit=2", "limit"),
      bad("a state that is none", "status=DONE", "status/0"),
      bad("a state in lower case", "status=SUCCEEDED,failed", "status/1"),
      bad("too many states", `status=${Array.from({ length: 17 }, () => "FAILED").join(",")}`, "status"),
      bad(
        "too many environments",
        `environment=${Array.from({ length: 17 }, () => "development").join(",")}`,
        "environment",
      ),
      bad("an order of its own", "sort-order=up", "sort-order"),
      bad("a cursor that is no time", "start-time-after=yesterday", "start-time-after"),
      bad("a cursor without a zone", "start-time-before=2026-11-21T08:00:00", "start-time-before"),
      bad("a day that is none", "start-time-after=2026-02-30T08:00:00Z", "start-time-after"),
      bad("two cursors", "start-time-after=2026-11-21T08:00:00Z&start-time-after=x", "start-time-after"),
      bad("an empty unit", "deployment-unit-id=", "deployment-unit-id"),
      bad("a flag that is none", "include-descriptors=yes", "include-descriptors"),
      bad("NUL in the unit", "deployment-unit-id=%00", "deployment-unit-id"),
      [
        "environments that are not configured",
        { path: "/v2/provisioning-operations?environment=moon,development,mars" },
        400,
        "COORD_UNKNOWN_ENVIRONMENT",
        "environment",
      ],
    ],
  );

  it("names every environment that is not configured", async () => {
    const { body } = await list("?environment=moon,development,mars");
    expect(body.moreInfo.problems).toEqual([
      "environment: The environment moon is not configured.",
      "environment: The environment mars is not configured.",
    ]);
  });
});

it.each(["0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "2026-11-21 08:00:00.000001+01:00"])(
  "takes %s for a cursor",
  async (at) => {
    const query = new URLSearchParams({ "start-time-before": at, "start-time-after": at });
    expect((await list(`?${query.toString()}`)).body.data).toEqual([]);
  },
);
