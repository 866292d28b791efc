/** Lists that show what was accepted and what is deployed, and the comparison of environments. */
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectTo } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { storeOperations } from "../support/stored-history.ts";
import { mockAdapterId, startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";
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
let token = "";
const boatsId = "urn:dmb:dp:sea:boats:0";

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  token = await start(server);
  await ended(server, token);
});
afterAll(() => server.close());

const get = (path: string): Promise<Answer> => server.coordinator({ path });
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("plans of a data product", () => {
  const list = (more = "", id = unitId): Promise<Answer> =>
    get(`/v1/provisioning-plans?data-product-id=${id}&environments=development${more}`);

  it("are the execution plans themselves", async () => {
    const plan = await get(`/v1/execution-plans/${token}`);
    const { status, body } = await list();
    expect([status, body]).toEqual([
      200,
      { provisioningPlans: [plan.body], page: { offset: 0, limit: 20, count: 1 } },
    ]);
    expect(plan.body.dag.descriptor).toContain("ships");
  });

  it("come without descriptors where they are not wanted", async () => {
    const plan = await get(`/v1/execution-plans/${token}?include-descriptors=false`);
    const { body } = await list("&include-descriptors=false", unitId.toUpperCase());
    expect(body.provisioningPlans).toEqual([plan.body]);
  });

  it("are filtered, ordered and paged", async () => {
    const { db } = server.db.database;
    const oldId = "urn:old:plans";
    const environments = ["development", "production"];
    await storeOperations(
      db,
      [0, 1, 2, 3, 4].map((n) => ({
        id: `old-${n}`,
        unitId: oldId,
        environment: environments[n % 2] ?? "",
        status: "SUCCEEDED",
        startTime: new Date(Date.UTC(2020, 0, 1, n)).toISOString(),
      })),
    );
    await sql`update execution_plans set descriptor_version = '2.0.0-SNAPSHOT-3' where id = 'old-2'`.execute(
      db,
    );
    await sql`update execution_plans set action = 'UNPROVISION' where id = 'old-4'`.execute(db);
    const ids = async (more: string) => {
      const { body } = await get(`/v1/provisioning-plans?data-product-id=${oldId}&${more}`);
      return [body.provisioningPlans.map(({ dag }: any) => dag.id), body.page.count];
    };
    expect(await ids("environments=development")).toEqual([["old-4", "old-2", "old-0"], 3]);
    expect(await ids("environments=development,production&ordering=asc&offset=1&limit=2")).toEqual([
      ["old-1", "old-2"],
      5,
    ]);
    expect(await ids("environments=development&include-snapshot=false")).toEqual([["old-4", "old-0"], 2]);
    expect(await ids("environments=development&version=2.0.0-SNAPSHOT-3")).toEqual([["old-2"], 1]);
    expect(await ids("environments=development&operations=UNPROVISION")).toEqual([["old-4"], 1]);
    expect(await ids("environments=development&offset=3")).toEqual([[], 3]);
  });

  it("are none of a unit that was never seen", async () => {
    const { status, body } = await list("", "urn:never:seen");
    expect([status, body]).toEqual([
      200,
      { provisioningPlans: [], page: { offset: 0, limit: 20, count: 0 } },
    ]);
  });
});

describe("resources", () => {
  it("are the descriptors of what is deployed", async () => {
    const { status, body } = await get("/v1/resources?environment=development");
    expect([status, body.page]).toEqual([200, { offset: 0, limit: 5, count: 1 }]);
    expect(body.content.map((text: string) => load(text))).toEqual([ships()]);
    expect((await get("/v1/resources?environment=production")).body).toEqual({
      content: [],
      page: { offset: 0, limit: 5, count: 0 },
    });
  });

  it("are filtered by unit and kind, and paged", async () => {
    const units = ["a", "b", "c"].map((name) => ({
      ...ships(`urn:kinds:${name}`),
      kind: name === "c" ? "Report" : "dataproduct",
    }));
    for (const unit of units) await ended(server, await start(server, unit));
    const ids = async (more: string) => {
      const { body } = await get(`/v1/resources?environment=development&${more}`);
      return [body.content.map((text: string) => (load(text) as { id: string }).id), body.page.count];
    };
    expect(await ids("resource-types=report,view")).toEqual([["urn:kinds:c"], 1]);
    expect(await ids("resource-types=DATAPRODUCT&limit=1&offset=1")).toEqual([["urn:kinds:b"], 2]);
    expect(await ids("id=URN:KINDS:A")).toEqual([["urn:kinds:a"], 1]);
    expect(await ids("id=URN:KINDS:A&resource-types=report")).toEqual([[], 0]);
    expect((await ids("limit=50"))[1]).toBe(4);
  });

  it("are none of a unit that was undeployed", async () => {
    const unit = ships("urn:kinds:a");
    const body = provisioning(unit);
    for (const each of body.targetStatus) each.targetStatus = "NOT_DEPLOYED";
    const answer = await server.coordinator({ method: "POST", path: provisioningPath(unit.id), body });
    await ended(server, answer.body);
    expect((await get("/v1/resources?environment=development&id=urn:kinds:a")).body.content).toEqual([]);
  });
});

describe("pre-deployed descriptors", () => {
  const feed = (after: string, limit = 10): Promise<Answer> =>
    get(`/v1/descriptors?kind=pre-deployed&limit=${limit}&lastDeploymentTime=${after}`);
  const long = { id: "feed-0", unitId: "urn:feed", environment: "production", status: "SUCCEEDED" };
  const at = (n: number): string => new Date(Date.UTC(2015, 0, 1) + n).toISOString();

  it("tell what was accepted, oldest first", async () => {
    const answer = await until(
      () => get("/v1/descriptors?kind=pre-deployed&limit=100"),
      ({ body }) => body.descriptors.some((each: any) => each.operation === "Unprovision"),
    );
    const { descriptors, lastDeploymentTime } = answer.body;
    const own = descriptors.filter((each: any) => each.descriptor.includes(`id: ${unitId}\n`));
    expect(own).toEqual([{ descriptor: expect.any(String), operation: "Provision" }]);
    expect(load(own[0].descriptor)).toEqual(ships());
    expect(lastDeploymentTime).toEqual(time);
    expect(descriptors.at(-1).operation).toBe("Unprovision");
  });

  it("end where nothing came later, at the time that was asked for", async () => {
    expect((await feed("2099-01-01T00:00:00Z")).body).toEqual({
      descriptors: [],
      lastDeploymentTime: "2099-01-01T00:00:00.000Z",
    });
  });

  it("wait for a plan that has the earlier time and is committed later", async () => {
    const { db } = server.db.database;
    const late = await connectTo(server.db.connection);
    await late.query("begin");
    await late.query("select pg_current_xact_id()");
    const [earlier, later] = [await nextMillisecond(), await nextMillisecond()];
    await nextMillisecond();
    const before = new Date(Date.parse(earlier) - 1).toISOString();
    await storeOperations(db, [{ ...long, id: "feed-2", startTime: later }]);
    expect((await feed(before)).body).toEqual({ descriptors: [], lastDeploymentTime: before });
    await late.query(`insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator,
      request, traceparent, deadline_at, created_at) values ('feed-1', 'PROVISIONING', 'urn:feed', 'urn:feed', 'production',
      'PROVISION', 'COMPLETED', 'x', '{"descriptor":{"id":"late","info":1,"components":[{"info":2}]}}', '', now(),
      '${earlier}')`);
    await late.query("commit");
    await late.end();
    const { body } = await until(
      () => feed(before),
      (answer) => answer.body.descriptors.length === 2,
    );
    expect(body).toEqual({
      descriptors: [
        { descriptor: "id: late\ncomponents:\n  - {}\n", operation: "Provision" },
        { descriptor: "id: urn:feed\n", operation: "Provision" },
      ],
      lastDeploymentTime: later,
    });
  });

  it("hold those of one millisecond together", async () => {
    const rows = [11, 12, 13].map((n) => ({ ...long, id: `feed-${n}`, startTime: at(n < 13 ? 11 : 12) }));
    await storeOperations(server.db.database.db, rows);
    const first = await until(
      () => feed(at(10), 1),
      ({ body }) => body.descriptors.length > 0,
    );
    expect([first.body.descriptors.length, first.body.lastDeploymentTime]).toEqual([2, at(11)]);
    expect((await feed(at(11), 1)).body.lastDeploymentTime).toBe(at(12));
  });
});

/** A time that no other call of this has given. */
async function nextMillisecond(): Promise<string> {
  const begun = Date.now();
  while (Date.now() === begun) await new Promise((done) => setTimeout(done, 1));
  return new Date(begun + 1).toISOString();
}

describe("the difference between environments", () => {
  const diff = (id: string): Promise<Answer> =>
    get(`/v1/deployment-units/${id}/diff?environment=development&other-environment=production`);
  const same = (componentId: string) => ({
    componentId,
    result: "IDENTICAL",
    differences: [],
    status: { environment: "DEPLOYED", otherEnvironment: "DEPLOYED" },
    descriptorVersion: { environment: "1.2.0", otherEnvironment: "1.2.0" },
    changedFields: [],
    hasMoreChangedFields: false,
  });

  it("is shown for each component", async () => {
    const unit = { ...ships(boatsId), infrastructureTemplateId: mockAdapterId };
    await ended(server, await start(server, unit));
    const other = structuredClone({ ...unit, environment: "production" });
    other.components.pop();
    Object.assign(other.components[1]!, { kind: "view", dbPassword: "hush", info: { publicInfo: 1 } });
    await ended(server, await start(server, other));
    const { status, body } = await diff(boatsId);
    expect([status, body]).toEqual([
      200,
      {
        deploymentUnitId: boatsId,
        environment: "development",
        otherEnvironment: "production",
        identical: false,
        components: [
          same(boatsId),
          same(hullId),
          {
            ...same(mastId),
            result: "DIFFERENT",
            differences: ["FIELDS"],
            changedFields: [
              { field: "/kind", environment: "workload", otherEnvironment: "view" },
              { field: "/dbPassword", otherEnvironment: "***" },
            ],
          },
          {
            ...same(sailId),
            result: "ONLY_IN_ENVIRONMENT",
            differences: ["STATUS"],
            status: { environment: "DEPLOYED", otherEnvironment: "NOT_DEPLOYED" },
            descriptorVersion: { environment: "1.2.0", otherEnvironment: "" },
          },
        ],
      },
    ]);
  });

  it("names another status and another version", async () => {
    const { db } = server.db.database;
    await sql`update unit_components set status = 'CORRUPT', descriptor_version = '2.0.0'
      where unit_key = ${boatsId} and component_key = ${hullId} and environment = 'production'`.execute(db);
    expect((await diff(boatsId.toUpperCase())).body.components[1]).toEqual({
      ...same(hullId),
      result: "DIFFERENT",
      differences: ["STATUS", "DESCRIPTOR_VERSION"],
      status: { environment: "DEPLOYED", otherEnvironment: "CORRUPT" },
      descriptorVersion: { environment: "1.2.0", otherEnvironment: "2.0.0" },
    });
  });

  it("is nothing for a unit that was never seen", async () => {
    expect((await diff("urn:never:seen")).body).toMatchObject({ identical: true, components: [] });
  });
});

describe("refuses", () => {
  const bad = (path: string, query: string, field: string): Refusal => [
    `${path}?${query}`,
    { path: `${path}?${query}` },
    400,
    "PLATFORM_INPUT",
    field,
  ];
  const moon = (path: string, field: string): Refusal => [
    path,
    { path },
    400,
    "COORD_UNKNOWN_ENVIRONMENT",
    field,
  ];
  const plans = "/v1/provisioning-plans";
  const product = "data-product-id=a&environments=development";
  const resources = "/v1/resources";
  const descriptors = "/v1/descriptors";
  const unit = `/v1/deployment-units/${unitId}/diff`;
  testRefusals(
    () => server,
    [
      bad(plans, "environments=development", "data-product-id"),
      bad(plans, "data-product-id=a", "environments"),
      bad(plans, "data-product-id=a&environments=", "environments"),
      bad(plans, `${product}&data-product-id=b`, "data-product-id"),
      bad(plans, `${product}&limit=0`, "limit"),
      bad(plans, `${product}&offset=-1`, "offset"),
      bad(plans, `${product}&offset=1000001`, "offset"),
      bad(plans, `${product}&ordering=up`, "ordering"),
      bad(plans, `${product}&operations=PROVISION,EXPLODE`, "operations/1"),
      bad(plans, `${product}&include-snapshot=1`, "include-snapshot"),
      moon(`${plans}?${product},moon`, "environments"),
      bad(resources, "limit=5", "environment"),
      bad(resources, "environment=development&limit=51", "limit"),
      bad(resources, "environment=development&limit=0", "limit"),
      bad(resources, "environment=development&offset=x", "offset"),
      bad(resources, "environment=development&id=", "id"),
      bad(resources, "environment=development&environment=production", "environment"),
      moon(`${resources}?environment=moon`, "environment"),
      bad(descriptors, "limit=5", "kind"),
      bad(descriptors, "kind=deployed&limit=5", "kind"),
      bad(descriptors, "kind=pre-deployed", "limit"),
      bad(descriptors, "kind=pre-deployed&limit=0", "limit"),
      bad(descriptors, "kind=pre-deployed&limit=5&lastDeploymentTime=now", "lastDeploymentTime"),
      bad(descriptors, "kind=pre-deployed&kind=pre-deployed&limit=5", "kind"),
      [
        "a unit compared with itself",
        { path: `${unit}?environment=development` },
        400,
        "COORD_SAME_ENVIRONMENT",
        "other-environment",
      ],
      bad(unit, "other-environment=development", "environment"),
      moon(`${unit}?environment=moon&other-environment=production`, "environment"),
      moon(`${unit}?environment=production&other-environment=mars`, "other-environment"),
      [
        "the same environment twice",
        { path: `${unit}?environment=production&other-environment=production` },
        400,
        "COORD_SAME_ENVIRONMENT",
        "other-environment",
      ],
    ],
  );
});
