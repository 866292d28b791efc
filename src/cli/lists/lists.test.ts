/** `plinth list` against a server that plays its answers: what it asks for, page by page, and what it prints. */
import { describe, expect, test } from "vitest";
import { playServer, run, type Played } from "../testdata.ts";

const coordinator = "/api/coordinator";

const list = async (args: string[], answers: Record<string, Played | Played[]>) => {
  await using server = await playServer(answers);
  const ran = await run(["list", ...args, "--url", server.url]);
  const queries = server.received.map(({ path }) =>
    Object.fromEntries(new URL(path, "http://x").searchParams),
  );
  return { ...ran, lines: ran.out.trimEnd().split("\n"), queries };
};

const unit = (id: string) => ({
  deploymentUnitId: id,
  environment: "development",
  owner: "user:ada",
  status: "DEPLOYED",
  descriptorVersion: "0.1.0",
  updatedAt: "2026-01-02T03:04:05.678Z",
});

describe("units", () => {
  const path = `GET ${coordinator}/v1/deployment-units`;

  test("page after page, up to the limit", async () => {
    const ids = Array.from({ length: 150 }, (_, at) => unit(`u:${at}`));
    const pages = [
      { body: { data: ids.slice(0, 100), meta: { pagination: { next: "c1" } } } },
      { body: { data: ids.slice(100, 121), meta: { pagination: { next: "c2" } } } },
    ];
    const { code, lines, err, queries } = await list(["units", "--limit", "120", "-e", "a", "-e", "b"], {
      [path]: pages,
    });
    expect([code, lines.length]).toEqual([0, 121]);
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(/^UNIT +ENVIRONMENT +STATUS +VERSION +OWNER +CHANGED$/),
      expect.stringMatching(/^u:0 +development +DEPLOYED +0\.1\.0 +user:ada +2026-01-02T03:04:05Z$/),
    ]);
    expect(err).toContain("There are more than these 120");
    expect(queries).toEqual([
      { environment: "a,b", limit: "100" },
      { environment: "a,b", limit: "21", cursor: "c1" },
    ]);
  });

  test("as JSON, with all that the server says", async () => {
    const body = { data: [{ ...unit("u"), more: 1 }], meta: { pagination: { next: null } } };
    const { out, queries } = await list(["units", "--json", "--status", "CORRUPT", "--search", "x"], {
      [path]: { body },
    });
    expect(JSON.parse(out)).toEqual({ data: body.data, more: false });
    expect(queries).toEqual([{ status: "CORRUPT", search: "x", limit: "51" }]);
  });

  test("none", async () => {
    const body = { data: [], meta: { pagination: { next: null } } };
    expect(await list(["units"], { [path]: { body } })).toMatchObject({
      code: 0,
      out: "There are none.\n",
      err: "",
    });
  });

  test.each(["0", "x", "10001"])("a limit of %s is refused", async (limit) => {
    expect(await list(["units", "--limit", limit], {})).toMatchObject({ code: 2, queries: [] });
  });
});

test("operations, paged by their start times, with why they wait", async () => {
  const operation = (executionPlanId: string, more: object) => ({
    operation: {
      operationId: `op-${executionPlanId}`,
      provisioningAction: "DEPLOY",
      deploymentUnitId: "u",
      environment: "development",
      executionPlanId,
      startTime: "2026-01-02T03:04:05.000Z",
      stopTime: null,
      ...more,
    },
    components: [{ operationStatus: "SUCCEEDED" }, { operationStatus: "RUNNING" }],
  });
  const pages = [
    {
      body: {
        data: [operation("t2", { status: "SCHEDULED", waiting: { reason: "Waits for plan t1." } })],
        meta: { pagination: { minStartTime: "2026-01-02T03:04:05.000Z" } },
      },
    },
    {
      body: {
        data: [operation("t1", { status: "RUNNING" })],
        meta: { pagination: { minStartTime: "2026-01-01T00:00:00.000Z" } },
      },
    },
    { body: { data: [], meta: { pagination: { minStartTime: null } } } },
  ];
  const args = ["operations", "--unit", "u", "--status", "RUNNING", "--status", "SCHEDULED"];
  const { lines, queries } = await list(args, { [`GET ${coordinator}/v2/provisioning-operations`]: pages });
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(
      /^t2 +DEPLOY +u +development +SCHEDULED +1\/2 +2026-01-02T03:04:05Z +Waits for plan t1\.$/,
    ),
    expect.stringMatching(/^t1 +DEPLOY +u +development +RUNNING +1\/2 /),
  ]);
  expect(queries).toMatchObject([
    { "deployment-unit-id": "u", status: "RUNNING,SCHEDULED" },
    { "start-time-before": "2026-01-02T03:04:05.000Z" },
    { "start-time-before": "2026-01-01T00:00:00.000Z" },
  ]);
});

test("the plans of a unit in every environment, with the states of their tasks", async () => {
  const task = {
    id: "provision:u:a",
    displayName: "a",
    startTime: null,
    stopTime: null,
    result: { message: "" },
    dependsOnTasks: [],
  };
  const dag = {
    ...task,
    id: "t1",
    status: "RUNNING",
    startTime: "2026-01-02T03:04:05.000Z",
    waiting: { reason: "Waits for provision of a.", since: "" },
    dependsOnTasks: [{ ...task, status: "RUNNING" }],
  };
  const { lines, queries } = await list(["plans", "u"], {
    [`GET ${coordinator}/v1/environments`]: {
      body: { data: [{ name: "development" }, { name: "production" }] },
    },
    [`GET ${coordinator}/v1/provisioning-plans`]: {
      body: { provisioningPlans: [{ environment: "development", dag }] },
    },
  });
  expect(lines[1]).toMatch(
    /^t1 +development +RUNNING +2026-01-02T03:04:05Z +1 running +Waits for provision of a\.$/,
  );
  expect(queries[1]).toMatchObject({
    "data-product-id": "u",
    environments: "development,production",
    "include-descriptors": "false",
  });
});

test("the plans of a unit in more environments than one call takes, newest first", async () => {
  const names = Array.from({ length: 18 }, (_, index) => `e${index}`);
  const plan = (id: string, startTime: string | null) => ({
    environment: "e0",
    dag: {
      id,
      displayName: id,
      status: "COMPLETED",
      startTime,
      stopTime: null,
      result: { message: "" },
      dependsOnTasks: [],
    },
  });
  const { lines, queries } = await list(["plans", "u", "--limit", "3"], {
    [`GET ${coordinator}/v1/environments`]: { body: { data: names.map((name) => ({ name })) } },
    [`GET ${coordinator}/v1/provisioning-plans`]: [
      {
        body: {
          provisioningPlans: [plan("t3", "2026-01-03T00:00:00Z"), plan("t1", "2026-01-01T00:00:00Z")],
        },
      },
      { body: { provisioningPlans: [plan("t4", null), plan("t2", "2026-01-02T00:00:00Z")] } },
    ],
  });
  expect(lines.slice(1, 4).map((line) => line.split(" ", 1)[0])).toEqual(["t4", "t3", "t2"]);
  expect(queries.slice(1).map((query) => query["environments"])).toEqual([
    names.slice(0, 16).join(","),
    "e16,e17",
  ]);
});

test("adapters, paged by offset", async () => {
  const adapter = (id: string) => ({
    id,
    version: "1",
    name: "mock",
    deployments: {
      environments: [
        { environment: "development", enabled: true },
        { environment: "production", enabled: false },
      ],
    },
  });
  const pages = ["a", "b"].map((id, offset) => ({
    body: { data: [adapter(id)], meta: { pagination: { offset, total: 2 } } },
  }));
  const { lines, queries } = await list(["adapters"], { [`GET ${coordinator}/v1/tech-adapters`]: pages });
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^a +1 +mock +development, production \(disabled\)$/),
    expect.stringMatching(/^b /),
  ]);
  expect(queries).toMatchObject([{}, { offset: "1" }]);
});

test("environments", async () => {
  const body = { data: [{ name: "development", deploymentUnits: 3, activeOperations: 1 }] };
  const { lines, queries } = await list(["environments"], {
    [`GET ${coordinator}/v1/environments`]: { body },
  });
  expect([lines[1], queries]).toEqual([expect.stringMatching(/^development +3 +1$/), [{}]]);
});

const outcome = (taskId: string, environment: string, second: number) => ({
  planId: "t1",
  taskId,
  environment,
  state: "OPEN",
  since: `2026-01-02T03:04:0${second}.000Z`,
  next: "Check the target system and settle it.",
});
const outcomes = `GET ${coordinator}/v1/unknown-outcomes`;

test("unknown outcomes, with what to do", async () => {
  const body = { data: [outcome("provision:u:a", "development", 5)], meta: { pagination: { next: null } } };
  const args = ["unknown-outcomes", "-e", "development", "--settled"];
  const { lines, queries } = await list(args, { [outcomes]: { body } });
  expect(lines[1]).toMatch(
    /^t1 +provision:u:a +development +OPEN +2026-01-02T03:04:05Z +Check the target system/,
  );
  expect(queries).toMatchObject([{ environment: "development", settled: "true" }]);
});

test("unknown outcomes of several environments, the oldest first; each environment is a call", async () => {
  const found = [
    outcome("a", "development", 1),
    outcome("b", "production", 2),
    outcome("c", "development", 3),
  ];
  await using server = await playServer((path) => {
    const asked = new URL(path, "http://x").searchParams.get("environment");
    const data = found.filter(({ environment }) => environment === asked);
    return { body: { data, meta: { pagination: { next: null } } } };
  });
  const args = ["unknown-outcomes", "-e", "development", "-e", "production", "-e", "production"];
  const ran = await run(["list", ...args, "--limit", "2", "--json", "--url", server.url]);
  expect(JSON.parse(ran.out)).toEqual({ data: found.slice(0, 2), more: true });
  expect(server.received).toHaveLength(2);
});
