/** The lists of units and of environments, and that their statuses are those of the status operation. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { listUnits, unitPage, type UnitListQuery } from "../../src/coordinator/units/lists/list-store.ts";
import { startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";
import { testRefusals, type Refusal } from "./refusals.ts";
import {
  ended,
  mastId,
  provisioning,
  provisioningPath,
  sailId,
  ships,
  start,
  wanted,
  type Ships,
} from "./ships.ts";

let server: WholeServer;
const never = Number.MAX_SAFE_INTEGER;

const unit = (name: string, more: object = {}): Ships => ({
  ...ships(`urn:dmb:dp:sea:${name}:0`),
  name,
  ...more,
});

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  await ended(server, await start(server, unit("barge", { domain: "sea", dataProductOwner: "user:ann" })));
  await ended(server, await start(server, unit("canoe", { projectOwner: "user:bob" })));
  const part = unit("dinghy");
  const [first, ...rest] = wanted(part);
  const targetStatus = [first, ...rest.map((each) => ({ ...each, targetStatus: "NOT_DEPLOYED" }))];
  const partly = await server.coordinator({
    method: "POST",
    path: provisioningPath(part.id),
    body: provisioning(part, { targetStatus }),
  });
  await ended(server, partly.body);
  await leaveSomethingOver(unit("drifter"));
  server.mock.setBehaviours({ components: { [mastId]: { outcome: "FAILED" } } });
  await ended(server, await start(server, unit("ferry")));
  server.mock.setBehaviours({});
  const gone = unit("galley", { environment: "production" });
  await ended(server, await start(server, gone));
  const undeployed = await server.coordinator({
    method: "POST",
    path: provisioningPath(gone.id, "production"),
    body: provisioning(gone, { targetStatus: wanted(gone, "NOT_DEPLOYED") }),
  });
  await ended(server, undeployed.body);
  const silent = { lines: 0, style: "new" } as const;
  server.mock.setBehaviours({ default: { mode: "async", runningPolls: never, logs: silent } });
  const busy = unit("hulk");
  await start(server, busy);
  await until(
    () => server.coordinator({ path: statusPath(busy.id) }),
    ({ body }) => body.status === "PROVISIONING_IN_PROGRESS",
  );
});
afterAll(async () => {
  const path = "/v2/deployment-units/urn:dmb:dp:sea:hulk:0/provisioning/terminate";
  await server.coordinator({ method: "POST", path: `${path}?environment=development&mode=forced` });
  await server.close();
});

/** A component that the new descriptor has no more stays deployed, because its adapter never looks at the call. */
async function leaveSomethingOver(whole: Ships): Promise<void> {
  await ended(server, await start(server, whole));
  const odd = { start: { name: "401", times: never } } as const;
  server.mock.setBehaviours({ components: { [sailId]: { odd } } });
  const smaller = { ...whole, components: whole.components.filter(({ id }) => id !== sailId) };
  expect(await ended(server, await start(server, smaller))).toBe("FAILED");
}

const statusPath = (id: string, environment = "development"): string =>
  `/v1/deployment-units/${id}/provisioning-status?environment=${environment}`;
const list = (query = ""): Promise<Answer> => server.coordinator({ path: `/v1/deployment-units${query}` });
const names = ({ body }: Answer): string[] => body.data.map(({ name }: { name: string }) => name);

describe("the list of units", () => {
  it("has every unit with the status that the unit itself answers", async () => {
    const { body } = await list();
    expect(body.data.map((each: any) => [each.name, each.status])).toEqual([
      ["barge", "DEPLOYED"],
      ["canoe", "DEPLOYED"],
      ["dinghy", "PARTIALLY_DEPLOYED"],
      ["drifter", "DEPLOYED"],
      ["ferry", "CORRUPT"],
      ["galley", "NOT_DEPLOYED"],
      ["hulk", "PROVISIONING_IN_PROGRESS"],
    ]);
    for (const { deploymentUnitId, environment, status } of body.data) {
      const own = await server.coordinator({ path: statusPath(deploymentUnitId, environment) });
      expect([deploymentUnitId, own.body.status]).toEqual([deploymentUnitId, status]);
    }
    expect(body.data[0]).toEqual({
      deploymentUnitId: "urn:dmb:dp:sea:barge:0",
      environment: "development",
      name: "barge",
      kind: null,
      owner: "user:ann",
      domain: "sea",
      status: "DEPLOYED",
      descriptorVersion: "1.2.0",
      executionPlanId: expect.any(String),
      executionPlanStatus: "COMPLETED",
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  it.each([
    ["an environment", "?environment=production", ["galley"]],
    ["states", "?status=CORRUPT,NOT_DEPLOYED", ["ferry", "galley"]],
    ["a part of the name in any case", "?search=ARG", ["barge"]],
    ["a part of the id", "?search=sea:canoe", ["canoe"]],
    ["a sign that means something in patterns", "?search=%25", []],
    ["an owner", "?owner=user:ann", ["barge"]],
    ["an owner of the project", "?owner=user:bob", ["canoe"]],
    ["a domain", "?domain=sea", ["barge"]],
    ["all at once", "?domain=sea&owner=user:ann&environment=development&status=DEPLOYED", ["barge"]],
  ])("by %s", async (...[, query, found]) => {
    expect(names(await list(query))).toEqual(found);
  });

  it("page by page has each unit once", async () => {
    const found: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = await list(`?limit=4${cursor === "" ? "" : `&cursor=${cursor}`}`);
      found.push(...names(page));
      cursor = page.body.meta.pagination.next;
    }
    expect(found).toEqual(["barge", "canoe", "dinghy", "drifter", "ferry", "galley", "hulk"]);
  });
});

describe("the list of units refuses", () => {
  const row = (what: string, query: string, code: string, field: string): Refusal => [
    what,
    { path: `/v1/deployment-units?${query}` },
    400,
    code,
    field,
  ];
  testRefusals(
    () => server,
    [
      row("an unknown environment", "environment=moon", "COORD_UNKNOWN_ENVIRONMENT", "environment"),
      row("an unknown state", "status=FINE", "PLATFORM_INPUT", "status/0"),
      row("a cursor of nobody", "cursor=xyz", "COORD_INVALID_CURSOR", "cursor"),
    ],
  );
});

it("the list of environments is the configured ones", async () => {
  const { body } = await server.coordinator({ path: "/v1/environments" });
  expect(body.data).toEqual(
    server.config.mesh.builder.environments.map(({ name }) => ({
      name,
      deploymentUnits: name === "development" ? 6 : name === "production" ? 1 : 0,
      activeOperations: name === "development" ? 1 : 0,
    })),
  );
});

describe("of ten thousand units", () => {
  const whole: UnitListQuery = {
    environments: ["staging"],
    statuses: [],
    search: undefined,
    owner: undefined,
    domain: undefined,
    kind: undefined,
    limit: 21,
    after: null,
    hasRoots: true,
  };

  it("a page is read from an index, and every state is found", async () => {
    const db = server.db.database.db;
    await sql`insert into units (unit_key, environment, unit_id, descriptor, descriptor_version)
      select 'many:' || n, 'staging', 'many:' || n, json_build_object('name', 'm' || n, 'domain', 'd' || n % 10,
        'components', json_build_array(json_build_object('id', 'c'))), '1'
      from generate_series(10001, 20000) n`.execute(db);
    await sql`insert into unit_components (unit_key, environment, component_key, component_id, status,
        descriptor, hash, plan_id)
      select 'many:' || n, 'staging', 'c', 'c', case n % 3 when 0 then 'DEPLOYED' when 1 then 'CORRUPT'
        else 'NOT_DEPLOYED' end, '{}', '', 'p'
      from generate_series(10001, 20000) n`.execute(db);
    await sql`analyze units, unit_components`.execute(db);
    const after = { unitKey: "many:15000", environment: "staging" };
    const page = await listUnits(db, { ...whole, after });
    expect(page.slice(0, 3).map(({ unitId, status }) => [unitId, status])).toEqual([
      ["many:15001", "CORRUPT"],
      ["many:15002", "NOT_DEPLOYED"],
      ["many:15003", "DEPLOYED"],
    ]);
    const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${unitPage({ ...whole, after })}`.execute(
      db,
    );
    const text = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toMatch(/units_of_environment|units_pkey/);
    expect(text).not.toMatch(/Seq Scan on unit/);
    const corrupt = await listUnits(db, { ...whole, statuses: ["CORRUPT"], limit: 20_000 });
    expect(corrupt).toHaveLength(3_333);
  });
});
