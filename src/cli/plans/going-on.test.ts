/** Commands that go on from, go back to or wait behind another plan, against a server that plays its answers. */
import { describe, expect, test } from "vitest";
import { playServer, run, type Played } from "../testdata.ts";

const coordinator = "/api/coordinator";
const unit = "urn:dmb:dp:d:s:0";
const unitPath = `${coordinator}/v2/deployment-units/urn%3Admb%3Adp%3Ad%3As%3A0/provisioning`;
const store = "urn:dmb:cmp:d:s:0:store";
const preview = {
  outcome: "OK",
  operations: [
    {
      componentId: store,
      targetStatus: "DEPLOYED",
      action: "REDEPLOY",
      reason: "REQUESTED",
      additionalReasons: [],
      dependencyOf: [],
      dependantOn: [],
    },
  ],
  conflictingOperations: [],
  planHash: "hash-1",
};
const task = (waiting?: object) => ({
  id: `provision:${store}`,
  displayName: store,
  status: "WAITING",
  startTime: null,
  stopTime: null,
  result: { message: "" },
  ...(waiting && { waiting }),
  dependsOnTasks: [],
});
const planStatus = (token: string, more: object = {}) => ({
  environment: "development",
  originatorUri: "",
  dag: {
    ...task(),
    id: token,
    displayName: token,
    status: "RUNNING",
    dependsOnTasks: [task({ reason: "Waits for a place of the adapter.", since: "" })],
    ...more,
  },
});
const ended = (status: string): Played => ({
  events: [{ id: 1, type: "plan", data: { id: "t2", status, at: "" } }],
});
const followed = (status: string): Record<string, Played> => ({
  [`GET ${coordinator}/v1/execution-plans/t2/status`]: { body: planStatus("t2") },
  [`GET ${coordinator}/v1/execution-plans/t2/events`]: ended(status),
});

describe("resume", () => {
  const resumed = { [`POST ${coordinator}/v1/execution-plans/t1/resume`]: { status: 202, body: "t2" } };

  test("starts a plan of its own and watches that", async () => {
    await using server = await playServer({ ...resumed, ...followed("COMPLETED") });
    const ran = await run(["resume", "t1", "--url", server.url]);
    expect(ran.out).toContain("Goes on from t1.\n\nPlan t2\n");
    expect(ran).toMatchObject({ code: 0, err: "" });
  });

  test("ends with 1 when that plan fails", async () => {
    await using server = await playServer({ ...resumed, ...followed("FAILED") });
    expect((await run(["resume", "t1", "--url", server.url])).code).toBe(1);
  });

  test("--detach --json is the new token", async () => {
    await using server = await playServer(resumed);
    const ran = await run(["resume", "t1", "--detach", "--json", "--url", server.url]);
    expect(JSON.parse(ran.out)).toEqual({ token: "t2" });
    expect(server.received).toHaveLength(1);
  });
});

describe("rollback", () => {
  const answers = {
    [`POST ${unitPath}/rollback/preview`]: { body: preview },
    [`POST ${unitPath}/rollback`]: { status: 202, body: "t2" },
  };
  const args = ["rollback", unit, "-e", "development", "--to", "t0"];

  test("shows what will happen, and starts exactly that", async () => {
    await using server = await playServer({ ...answers, ...followed("COMPLETED") });
    const ran = await run([...args, "--confirm-data-removal", store, "--remove-data", "--url", server.url]);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("REDEPLOY");
    const [asked, started] = server.received;
    const wanted = { executionPlanId: "t0", removeData: true, confirmDataRemoval: [store] };
    expect(JSON.parse(asked?.body ?? "")).toEqual(wanted);
    expect(JSON.parse(started?.body ?? "")).toEqual({ ...wanted, planHash: "hash-1" });
    expect(started?.path).toBe(`${unitPath}/rollback?environment=development`);
  });

  test("--preview starts nothing", async () => {
    await using server = await playServer(answers);
    expect((await run([...args, "--preview", "--url", server.url])).code).toBe(0);
    expect(server.received.map(({ path }) => path)).toEqual([
      `${unitPath}/rollback/preview?environment=development`,
    ]);
  });

  test("--queue waits for its turn, on the state that the unit then has", async () => {
    await using server = await playServer(answers);
    await run([...args, "--queue", "--detach", "--url", server.url]);
    expect(server.received[1]?.path).toBe(`${unitPath}/rollback?environment=development&queue=true`);
    expect(JSON.parse(server.received[1]?.body ?? "")).not.toHaveProperty("planHash");
  });

  test.each([
    ["--to", ["rollback", unit, "-e", "development"]],
    ["--environment", ["rollback", unit, "--to", "t0"]],
  ])("needs %s", async (option, given) => {
    const ran = await run([...given, "--url", "http://127.0.0.1:9"]);
    expect(ran.code).not.toBe(0);
    expect(ran.err).toContain(option);
  });
});

test("provision --queue says so to the server", async () => {
  const answers = {
    [`POST ${unitPath}/preview`]: { body: preview },
    [`POST ${unitPath}`]: { status: 202, body: "t2" },
  };
  await using server = await playServer(answers);
  const stdin = JSON.stringify({ id: unit, environment: "development", components: [{ id: store }] });
  const args = ["provision", "-", "--queue", "--detach", "--confirm-data-removal", "store"];
  await run([...args, "--url", server.url], { input: stdin });
  expect(server.received[1]?.path).toBe(`${unitPath}?environment=development&queue=true`);
  expect(JSON.parse(server.received[1]?.body ?? "")).toMatchObject({ confirmDataRemoval: [store] });
});

test("status of a busy unit tells what its plans wait for", async () => {
  const queued = { waiting: { reason: "Waits for its turn behind plan t1, position 1.", since: "" } };
  await using server = await playServer({
    [`GET ${coordinator}/v1/deployment-units/urn%3Admb%3Adp%3Ad%3As%3A0/provisioning-status`]: {
      body: { status: "PROVISIONING_IN_PROGRESS", provisioningDetails: { descriptorVersion: "1" } },
    },
    [`GET ${coordinator}/v2/provisioning-operations`]: {
      body: {
        data: [
          { operation: { executionPlanId: "t1", status: "RUNNING" } },
          { operation: { executionPlanId: "t2", status: "SCHEDULED" } },
        ],
      },
    },
    [`GET ${coordinator}/v1/execution-plans/t1/status`]: { body: planStatus("t1") },
    [`GET ${coordinator}/v1/execution-plans/t2/status`]: {
      body: planStatus("t2", { status: "WAITING", ...queued }),
    },
  });
  const ran = await run(["status", unit, "-e", "development", "--url", server.url]);
  expect(ran.out).toBe(
    [
      `${unit} in development: PROVISIONING_IN_PROGRESS, version 1`,
      "",
      "plan t1: RUNNING",
      "  Waits for a place of the adapter.",
      "",
      "plan t2: WAITING",
      "  Waits for its turn behind plan t1, position 1.",
      "",
    ].join("\n"),
  );
});
