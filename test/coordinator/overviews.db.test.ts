/** What shows units at a glance: literal shapes of the answers, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mockAdapterId, registerAdapter, until, type Answer } from "../support/server.ts";
import { barge, ferry, hulk, namedUnit, startFleet, type Fleet } from "./fleet.ts";
import { input, testRefusals } from "./refusals.ts";
import { ended, hullId, mastId, provisioning, sailId, start } from "./ships.ts";

let fleet: Fleet;
let server: Fleet["server"];
let plans: Fleet["plans"];
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const hour = 3_600_000;
const get = (path: string): Promise<Answer> => fleet.get(path);
const bodyOf = (path: string): Promise<any> => fleet.bodyOf(path);

beforeAll(async () => {
  fleet = await startFleet();
  ({ server, plans } = fleet);
});
afterAll(() => fleet.close());

it("statuses that are asked for at the same moment are each that of their unit and environment", async () => {
  const [whole, broken, unknown] = [barge.id, hulk.id, "urn:dmb:dp:sea:nowhere:0"];
  const paths = [whole, broken, unknown].flatMap((id) =>
    ["development", "production"].map(
      (environment) => `/v1/deployment-units/${id}/provisioning-status?environment=${environment}`,
    ),
  );
  const alone: unknown[] = [];
  for (const path of paths) alone.push(await bodyOf(path));
  expect(new Set(alone.map((body) => JSON.stringify(body))).size).toBeGreaterThan(3);
  // More than one query reads.
  const together = await Promise.all(Array.from({ length: 8 }, () => paths.map(bodyOf)).flat());
  for (const [index, body] of together.entries()) expect(body).toEqual(alone[index % paths.length]);
});

describe("a unit in all environments", () => {
  const path = (id: string): string => `/v1/deployment-units/${id}/environments`;
  const nowhere = (environment: string) => ({
    environment,
    known: false,
    status: "NOT_DEPLOYED",
    descriptorVersion: "",
    since: null,
    executionPlanId: null,
    executionPlanStatus: null,
    active: null,
    queuedOperations: 0,
    drift: null,
    failure: null,
  });

  it("has what is deployed in each, and since when", async () => {
    const check = await server.coordinator({
      method: "POST",
      path: `/v1/deployment-units/${barge.id}/drift-checks?environment=production`,
    });
    await until(
      () => get(`/v1/drift-checks/${check.body}`),
      ({ body }) => body.status === "COMPLETED",
    );
    const body = await bodyOf(path(barge.id.toUpperCase()));
    const component = (
      environment: string,
      executionPlanId: string,
      drift: string | null = null,
      descriptorVersion = "1.2.0",
    ) => ({
      environment,
      status: "DEPLOYED",
      descriptorVersion,
      since: time,
      executionPlanId,
      drift,
      failure: null,
    });
    const both = [
      component("development", plans.second, null, "1.3.0"),
      component("production", plans.production, "NO_DRIFT"),
    ];
    const deployed = (environment: string, descriptorVersion: string, executionPlanId: string) => ({
      ...nowhere(environment),
      known: true,
      status: "DEPLOYED",
      descriptorVersion,
      since: time,
      executionPlanId,
      executionPlanStatus: "COMPLETED",
    });
    expect(body).toEqual({
      deploymentUnitId: barge.id,
      name: "barge",
      kind: "dataproduct",
      owner: "user:ann",
      domain: "sea",
      environments: body.environments.map(({ environment }: any) =>
        environment === "development"
          ? deployed(environment, "1.3.0", plans.second)
          : environment === "production"
            ? {
                ...deployed(environment, "1.2.0", plans.production),
                drift: { driftCheckId: check.body, result: "NO_DRIFT", checkedAt: time, isOutdated: false },
              }
            : nowhere(environment),
      ),
      components: [hullId, mastId, sailId].map((componentId) => ({
        componentId,
        environments: body.environments
          .map(({ environment }: any) => both.find((each) => each.environment === environment))
          .filter(Boolean),
      })),
    });
    const { data } = await bodyOf("/v1/environments");
    expect(body.environments.map(({ environment }: any) => environment)).toEqual(
      data.map(({ name }: any) => name),
    );
  });

  it("has the operation that works on it, and what waits behind it", async () => {
    const behind = await server.coordinator({
      method: "POST",
      path: `/v2/deployment-units/${hulk.id}/provisioning?environment=development&when-busy=queue`,
      body: provisioning(hulk),
    });
    const body = await bodyOf(path(hulk.id));
    const here = body.environments.find(({ environment }: any) => environment === "development");
    expect(here).toMatchObject({
      status: "PROVISIONING_IN_PROGRESS",
      queuedOperations: behind.status === 202 ? 1 : 0,
      active: {
        operationId: plans.busy,
        executionPlanId: plans.busy,
        provisioningAction: "DEPLOY",
        status: "RUNNING",
        originatorUri: expect.stringContaining(":"),
        startTime: here.since,
      },
    });
    expect(here.active.status).toBe("RUNNING");
    if (behind.status === 202) {
      const end = `/v1/execution-plans/${behind.body}/terminate`;
      await server.coordinator({ method: "POST", path: end });
    }
  });

  it("says what made it CORRUPT", async () => {
    const body = await bodyOf(path(ferry.id));
    const failure = {
      executionPlanId: plans.failed,
      operationId: plans.failed,
      provisioningAction: "DEPLOY",
      taskId: `provision:${mastId}`,
      action: "PROVISION",
      componentId: mastId,
      message: "No wood.",
      at: time,
    };
    const here = body.environments.find(({ environment }: any) => environment === "development");
    expect(here).toMatchObject({ status: "CORRUPT", failure });
    expect(body.components.find(({ componentId }: any) => componentId === mastId).environments).toEqual([
      {
        environment: "development",
        status: "CORRUPT",
        descriptorVersion: "1.2.0",
        since: time,
        executionPlanId: plans.failed,
        drift: null,
        failure,
      },
    ]);
  });

  it("is nothing for a unit that was never seen", async () => {
    const body = await bodyOf(path("urn:never:seen"));
    expect(body).toMatchObject({ deploymentUnitId: "urn:never:seen", name: null, components: [] });
    expect(body.environments).toEqual(body.environments.map(({ environment }: any) => nowhere(environment)));
  });
});

describe("facets of units", () => {
  const facets = (query = ""): Promise<any> => bodyOf(`/v1/deployment-unit-facets${query}`);

  it("count all units", async () => {
    expect(await facets()).toEqual({
      total: 5,
      facets: {
        status: [
          { value: "DEPLOYED", count: 3 },
          { value: "CORRUPT", count: 1 },
          { value: "PROVISIONING_IN_PROGRESS", count: 1 },
        ],
        environment: [
          { value: "development", count: 4 },
          { value: "production", count: 1 },
        ],
        owner: [
          { value: "user:ann", count: 3 },
          { value: "user:bob", count: 1 },
        ],
        domain: [
          { value: "sea", count: 3 },
          { value: "lake", count: 1 },
        ],
        kind: [
          { value: "dataproduct", count: 3 },
          { value: "system", count: 1 },
        ],
      },
    });
  });

  it("count each with all filters but its own", async () => {
    const { total, facets: found } = await facets("?domain=sea&status=DEPLOYED&kind=DataProduct");
    expect(total).toBe(3);
    expect(found.domain).toEqual([{ value: "sea", count: 3 }]);
    expect(found.status).toEqual([{ value: "DEPLOYED", count: 3 }]);
    const other = await facets("?domain=lake&status=DEPLOYED");
    expect(other.total).toBe(0);
    expect(other.facets.domain).toEqual([{ value: "sea", count: 3 }]);
    expect(other.facets.status).toEqual([{ value: "CORRUPT", count: 1 }]);
    expect((await facets("?limit=1")).facets.owner).toEqual([{ value: "user:ann", count: 3 }]);
    expect((await facets("?search=ARG")).total).toBe(2);
  });

  it("are what the list then has", async () => {
    for (const query of ["?kind=system", "?owner=user:ann", "?status=CORRUPT,DEPLOYED", "?search=o"]) {
      const { data } = await bodyOf(`/v1/deployment-units${query}`);
      expect([query, (await facets(query)).total]).toEqual([query, data.length]);
    }
  });

  testRefusals(
    () => server,
    [
      [
        "facets of an unknown environment",
        { path: "/v1/deployment-unit-facets?environment=moon" },
        400,
        "COORD_UNKNOWN_ENVIRONMENT",
        "environment",
      ],
      input("facets of an unknown status", { path: "/v1/deployment-unit-facets?status=FINE" }, "status/0"),
    ],
  );
});

describe("the difference between versions", () => {
  const path = (query: string): string =>
    `/v1/deployment-units/${barge.id}/diff?environment=development&${query}`;

  it("is that of the descriptors that two plans stored", async () => {
    const body = await bodyOf(path(`plan=${plans.first}&other-plan=${plans.second}`));
    const side = (componentId: string, more: object = {}) => ({
      componentId,
      result: "IDENTICAL",
      differences: [],
      status: { environment: null, otherEnvironment: null },
      descriptorVersion: { environment: "1.2.0", otherEnvironment: "1.2.0" },
      changedFields: [],
      hasMoreChangedFields: false,
      ...more,
    });
    expect(body).toEqual({
      deploymentUnitId: barge.id,
      environment: "development",
      otherEnvironment: "development",
      executionPlanId: plans.first,
      otherExecutionPlanId: plans.second,
      identical: false,
      components: [
        side(barge.id, {
          result: "DIFFERENT",
          differences: ["DESCRIPTOR_VERSION", "FIELDS"],
          descriptorVersion: { environment: "1.2.0", otherEnvironment: "1.3.0" },
          changedFields: [{ field: "/version", environment: "1.2.0", otherEnvironment: "1.3.0" }],
        }),
        side(hullId),
        side(mastId, {
          result: "DIFFERENT",
          differences: ["FIELDS"],
          changedFields: [{ field: "/kind", environment: "workload", otherEnvironment: "view" }],
        }),
        side(sailId, {
          result: "DIFFERENT",
          differences: ["FIELDS"],
          changedFields: [{ field: "/dbPassword", otherEnvironment: "***" }],
        }),
      ],
    });
  });

  it("is that of a plan and what is deployed, also in another environment", async () => {
    expect(await bodyOf(path(`plan=${plans.second}`))).toMatchObject({
      identical: true,
      executionPlanId: plans.second,
      otherExecutionPlanId: null,
    });
    const other = await bodyOf(path(`plan=${plans.first}&other-environment=production`));
    expect(other).toMatchObject({ identical: true, otherEnvironment: "production" });
  });

  testRefusals(
    () => server,
    [
      [
        "an unknown plan",
        { path: path("plan=00000000-0000-4000-8000-000000000000") },
        404,
        "COORD_PLAN_NOT_FOUND",
        "plan",
      ],
      ["an unknown other plan", { path: path("other-plan=a") }, 404, "COORD_PLAN_NOT_FOUND", "other-plan"],
      [
        "a plan of another environment",
        {
          get path() {
            return path(`other-plan=${plans.production}`);
          },
        },
        400,
        "COORD_PLAN_UNFIT",
        "other-plan",
      ],
      [
        "a plan of another unit",
        {
          get path() {
            return path(`plan=${plans.failed}`);
          },
        },
        400,
        "COORD_PLAN_UNFIT",
        "plan",
      ],
      ["nothing to compare with", { path: path("") }, 400, "COORD_SAME_ENVIRONMENT", "other-environment"],
    ],
  );
});

describe("schedules of drift checks", () => {
  it("have their last and their next run", async () => {
    const { data } = await bodyOf("/v1/drift-schedules");
    const [production, staging] = data;
    expect(production).toMatchObject({
      environment: "production",
      everyMinutes: null,
      cron: "0 4 1 1 *",
      timeZone: "Europe/Rome",
      deploymentUnits: 1,
      due: 0,
      drifted: 0,
      lastRunAt: null,
      nextRunAt: expect.stringMatching(/^\d{4}-01-01T03:00:00\.000Z$/),
      reconcile: "ask",
    });
    expect(staging).toEqual({
      environment: "staging",
      everyMinutes: 60,
      cron: null,
      timeZone: "UTC",
      deploymentUnits: 0,
      due: 0,
      drifted: 0,
      lastRunAt: null,
      nextRunAt: null,
      reconcile: "off",
    });
    await registerAdapter(server, { id: mockAdapterId, environments: ["staging"], url: server.mock.url });
    const calm = namedUnit("calm", { environment: "staging" });
    server.mock.setBehaviours({});
    await ended(server, await start(server, calm));
    const checked = await until(
      () => get("/v1/drift-schedules"),
      ({ body }) => body.data[1].lastRunAt !== null,
    );
    const { lastRunAt, nextRunAt, deploymentUnits } = checked.body.data[1];
    expect([Date.parse(nextRunAt) - Date.parse(lastRunAt), deploymentUnits]).toEqual([hour, 1]);
  });
});
