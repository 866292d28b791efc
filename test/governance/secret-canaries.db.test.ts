/**
 * Secrets in descriptors, in what adapters return and in addresses of remote engines are found in no answer of governance, no result, no
 * audit row and no log line, whoever asks and whatever a policy's expression does with them.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Logger } from "../../src/platform/lib/logger.ts";
import { dumpDatabase, expectNone } from "../support/canaries.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import {
  mockAdapterId,
  startWholeServer,
  until,
  type Answer,
  type TestRole,
  type WholeServer,
} from "../support/server.ts";

const unitId = "urn:dmb:dp:sea:canaries:0";
const componentId = "urn:dmb:cmp:sea:canaries:0:hold";
/** Under the name of a secret, in an address, in the address of an engine. */
const named = "cAnArY-named-4d1f9a";
const inAddress = "cAnArY-address-77b2c0";
const inEngineUrl = "cAnArY-engine-12fe88";

const logged: string[] = [];
const keep = (fields: object, message: string): void =>
  void logged.push(`${message} ${JSON.stringify(fields)}`);
const log: Logger = { debug: keep, info: keep, warn: keep, error: keep, child: () => log };

const descriptor = {
  id: unitId,
  name: "canaries",
  kind: "dataproduct",
  version: "0.1.0",
  environment: "development",
  components: [
    {
      id: componentId,
      name: "hold",
      kind: "storage",
      version: "0.1.0",
      infrastructureTemplateId: mockAdapterId,
      dependsOn: [],
      specific: {
        password: named,
        apiKey: named,
        connection: `postgres://captain:${inAddress}@sea.example/hold`,
      },
    },
    {
      id: "urn:dmb:cmp:sea:canaries:0:deck",
      name: "deck",
      kind: "storage",
      version: "0.1.0",
      infrastructureTemplateId: mockAdapterId,
      dependsOn: [componentId],
      specific: { connection: "none", password: "" },
    },
  ],
};

const targetStatus = descriptor.components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" }));

let server: WholeServer;
/** What the adapter has returned for the platform alone; known once it is deployed. */
let inPrivateInfo = "";
let engine: Recorder;
const answers: string[] = [];

const call = async (
  method: string,
  path: string,
  body?: unknown,
  as: TestRole = "operator",
): Promise<Answer> => {
  const answer = await server.governance({ method, path, as, ...(body === undefined ? {} : { body }) });
  answers.push(answer.text);
  return answer;
};

/** Puts everything that it sees into its messages. */
const leaking = {
  name: "Leaks",
  context: "global",
  engine: "cel",
  spec: {
    assert: `[resource, unit].map(r, {"path": "x", "message": "seen: " + (has(r.specific)
      ? string(r.specific.password) + " " + string(r.specific.connection) : string(r.id))})`,
  },
};

const enable = async (id: string): Promise<void> => {
  const { status, text } = await call("POST", `/policies/${id}/status`, {
    status: "enabled",
    reason: "Agreed.",
  });
  expect(status, text).toBe(200);
};

const deploy = async (): Promise<string> => {
  const { body: token, text } = await server.coordinator({
    method: "POST",
    path: `/v2/deployment-units/${unitId}/provisioning?environment=development`,
    body: { descriptor, targetStatus },
  });
  expect(token, text).toBeTypeOf("string");
  const ended = await until(
    () => server.coordinator({ path: `/v1/execution-plans/${token}/status` }),
    ({ body }) => /COMPLETED|FAILED/.test(body.dag?.status),
  );
  return ended.body.dag.status;
};

const tryOnAll = async (policy: object, as: TestRole): Promise<Answer> => {
  const started = await call(
    "POST",
    "/policies/test",
    { ...policy, everything: true, environment: "development" },
    as,
  );
  expect(started.status, started.text).toBe(202);
  const report = await until(
    () => server.governance({ path: `/evaluation-reports/${started.body.reportId}`, as: "viewer" }),
    ({ body }) => body.status !== "pending",
  );
  answers.push(report.text);
  return report;
};

beforeAll(async () => {
  engine = await startRecorder();
  engine.answers.set("/v1/evaluate", {
    status: 200,
    body: {
      satisfiesPolicy: false,
      errors: [{ message: `It has postgres://captain:${inAddress}@sea.example` }],
    },
  });
  server = await startWholeServer({ log });
  await server.registerMock();
  expect(await deploy()).toBe("COMPLETED");
  const { rows } = await server.db.database.pool.query<{ token: string }>(
    "select info -> 'privateInfo' ->> 'token' as token from plan_tasks where task_id = $1",
    [`provision:${componentId}`],
  );
  inPrivateInfo = rows[0]?.token ?? "";
  expect(inPrivateInfo.length).toBeGreaterThan(8);
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

describe("secrets of what is deployed", () => {
  it("are not shown to an expression that a developer tries on everything", async () => {
    const { body } = await tryOnAll({ policy: leaking }, "developer");
    expect(body.status).toBe("completed");
    const messages = body.evaluationResults.flatMap(({ result }: any) =>
      result.errors.map(({ message }: any) => message),
    );
    expect(messages).toContain("seen: *** postgres://***@sea.example/hold");
  });

  it.each(["remote", "model"])("are sent nowhere by a developer's trial with the engine %s", async (name) => {
    const spec = name === "remote" ? { url: engine.url } : { agentId: "a", prompt: "Is it right?" };
    const policy = { name: "Sends", engine: name, spec };
    const calls = engine.calls.length;
    for (const on of [{ everything: true }, { descriptor }]) {
      const refused = await call(
        "POST",
        "/policies/test",
        { policy, environment: "development", ...on },
        "developer",
      );
      expect([refused.status, refused.body.code]).toEqual([403, "CGP_TRIAL_FORBIDDEN"]);
    }
    expect(engine.calls.length).toBe(calls);
  });

  it("are masked in what engines answer of a plan, where they look like credentials", async () => {
    const address = {
      id: "address",
      name: "Address",
      resourceType: "storage",
      engine: "cel",
      spec: {
        assert: '[{"path": "specific.connection", "message": "It is " + resource.specific.connection}]',
      },
    };
    const asked = {
      id: "asked",
      name: "Asked",
      resourceType: "storage",
      engine: "remote",
      spec: { url: engine.url },
    };
    for (const policy of [address, asked]) {
      expect((await call("POST", "/policies", policy)).status).toBe(201);
      await enable(policy.id);
    }
    expect(await deploy()).toBe("FAILED");
    const results = await call(
      "GET",
      `/results?policy=address&resource=${encodeURIComponent(componentId)}`,
      undefined,
      "viewer",
    );
    expect(results.body.data[0].result.errors[0].message).toBe("It is postgres://***@sea.example/hold");
    const compliance = await call(
      "GET",
      `/units/${unitId}/compliance?environment=development`,
      undefined,
      "viewer",
    );
    expect(compliance.body.summary.error).toBeGreaterThanOrEqual(2);
    // A remote engine sees the component as it was sent, and nothing that an adapter has returned.
    expect(JSON.stringify(engine.calls)).toContain(named);
    expectNone(JSON.stringify(engine.calls), [inPrivateInfo], "at the remote engine");
    const { rows } = await server.db.database.pool.query<{ text: string }>(
      "select descriptor::text as text from units union all select descriptor::text from unit_components",
    );
    const compared = rows.map(({ text }) => text).join("\n");
    expect(compared).toContain(named);
    expectNone(compared, [inPrivateInfo], "in what policies compare with");
  });

  it("are not in refusals of what is sent", async () => {
    for (const body of [
      { policy: { ...leaking, spec: { assert: "resource.(" } }, environment: "development", descriptor },
      { policy: leaking, environment: "nowhere", descriptor },
      { policy: leaking, environment: "development", descriptor: `password: ${named}\n  x: [` },
      { policyId: "address", policy: leaking, environment: "development", descriptor },
    ])
      expect((await call("POST", "/policies/test", body, "developer")).status).toBe(400);
    const evaluate = { id: unitId, environment: "development", resourceType: "x".repeat(500), descriptor };
    expect((await call("POST", "/evaluate", evaluate, "developer")).status).toBe(400);
  });
});

describe("an address of a remote engine", () => {
  it.each([
    ["a user", (url: string) => url.replace("http://", `http://plinth:${inEngineUrl}@`)],
    ["a query", (url: string) => `${url}?token=${inEngineUrl}`],
    ["a fragment", (url: string) => `${url}#${inEngineUrl}`],
  ])("with %s is refused: everybody may read policies", async (_what, change) => {
    const spec = { url: change(engine.url) };
    const refused = await call("POST", "/policies", { name: "Remote", engine: "remote", spec });
    expect([refused.status, refused.body.code]).toEqual([400, "CGP_INVALID_POLICY"]);
    expect(refused.text).toContain("/spec/url");
  });
});

it("no answer, result, audit row or log line has a secret", async () => {
  for (const path of [
    "/policies?limit=1000",
    "/policies/address/versions",
    "/policies/asked",
    "/results?limit=1000",
    "/exceptions",
    `/units/${unitId}/compliance?environment=development`,
  ])
    expect((await call("GET", path, undefined, "viewer")).status).toBe(200);
  const all = [named, inAddress, inPrivateInfo, inEngineUrl];
  expect(answers.length).toBeGreaterThan(20);
  expectNone(answers.join("\n"), all, "in answers");
  expectNone(logged.join("\n"), all, "in the log");
  // Descriptors are the coordinator's, and are stored as they were sent; so is what adapters return.
  const rows = await dumpDatabase(server.db.database, [
    "results",
    "audit",
    "policies",
    "policy_versions",
    "exceptions",
    "evaluation_reports",
    "evaluation_report_parts",
  ]);
  expect(rows).toContain("address");
  expectNone(rows, all, "in tables");
});
