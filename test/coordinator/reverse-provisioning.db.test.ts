import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  mockAdapterId,
  registerAdapter,
  startWholeServer,
  type Call,
  type WholeServer,
} from "../support/server.ts";
import { input, refusal, testRefusals, type Refusal } from "./refusals.ts";
import { ended } from "./ships.ts";

let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  await registerAdapter(server, { id: "off", url: server.mock.url, enabled: false });
});
afterAll(() => server.close());

const fine = {
  useCaseTemplateId: "urn:dmb:utm:import:1",
  infrastructureTemplateIds: ["nobody", "off", mockAdapterId],
  environment: "development",
  params: { schema: "fleet", table: "ships" },
};
const path = "/v1/reverse-provisioning";
const post = (more: object): Call => ({ method: "POST", path, body: { ...fine, ...more } });

describe("startReverseProvisioning refuses", () => {
  const invalidBody = (what: string, more: object, field: string): Refusal =>
    refusal(400, "COORD_INVALID_REVERSE_PROVISIONING")(what, post(more), field);
  testRefusals(
    () => server,
    [
      input("no body", { method: "POST", path }, ""),
      input("an empty object", { method: "POST", path, body: {} }, "/useCaseTemplateId"),
      input("no templates", post({ infrastructureTemplateIds: [] }), "/infrastructureTemplateIds"),
      input("an empty template", post({ infrastructureTemplateIds: [""] }), "/infrastructureTemplateIds/0"),
      input("params as text", post({ params: "a" }), "/params"),
      input("catalogInfo as a list", post({ catalogInfo: [] }), "/catalogInfo"),
      invalidBody(
        "templates without an adapter",
        { infrastructureTemplateIds: ["nobody"] },
        "/infrastructureTemplateIds",
      ),
      invalidBody(
        "an adapter that is not enabled",
        { infrastructureTemplateIds: ["off"] },
        "/infrastructureTemplateIds",
      ),
    ],
  );

  it("an environment that is none, with every problem", async () => {
    const { status, body } = await server.coordinator(post({ environment: "moon" }));
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      "/environment: The environment moon is not configured.",
      "/infrastructureTemplateIds: None of the 3 templates has an adapter that is enabled in moon.",
    ]);
  });
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

it.each(["sync", "async"] as const)(
  "asks the first enabled adapter and keeps its updates: %s",
  async (mode) => {
    server.mock.setBehaviours({ default: { mode, updates: { "spec.mesh.version": "2" }, runningPolls: 2 } });
    const answer = await server.coordinator(post({}));
    expect([answer.status, answer.text]).toEqual([202, expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    const token = answer.body as string;
    expect(await ended(server, token)).toBe("COMPLETED");
    const plan = await server.coordinator({ path: `/v1/execution-plans/${token}` });
    const common = { status: "COMPLETED", startTime: time, stopTime: time, version: "", subPlanId: "" };
    const id = "reverse:urn:dmb:utm:import:1";
    expect(plan.body).toEqual({
      environment: "development",
      originatorUri: "service:default/admin",
      dag: {
        ...common,
        id: token,
        name: token,
        displayName: `Reverse provision ${token}`,
        componentName: "",
        descriptor: "",
        action: "REVERSE_PROVISION",
        result: "",
        dependsOnTasks: [
          {
            ...common,
            id,
            name: id,
            displayName: "Reverse provision urn:dmb:utm:import:1",
            componentName: "urn:dmb:utm:import:1",
            descriptor: "",
            action: "REVERSE_PROVISION",
            result: '{"spec.mesh.version":"2"}',
            dependsOnTasks: [],
          },
        ],
      },
    });
    const logs = await server.coordinator({ path: `/v1/logs/${token}` });
    expect(logs.body.map((line: { phase: string }) => line.phase)).toContain("REVERSE_PROVISIONING:ADAPTER");
    const polls = server.mock.journal().filter(({ path: at }) => at.startsWith("/v1/reverse-provisioning/"));
    expect(polls.length > 0).toBe(mode === "async");
  },
);

it("can be ended by force, although no adapter can be asked to stop it", async () => {
  server.mock.setBehaviours({ default: { mode: "async", runningMs: 60_000 } });
  const { body: token } = await server.coordinator(post({}));
  const terminate = `/v1/execution-plans/${token}/terminate?mode=forced`;
  expect((await server.coordinator({ method: "POST", path: terminate })).status).toBe(202);
  expect(await ended(server, token)).toBe("TERMINATED");
  expect(server.mock.journal().some(({ method }) => method === "DELETE")).toBe(false);
});
