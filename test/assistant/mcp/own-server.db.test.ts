/** The platform's own MCP server, used by outside clients of both generations for the main job. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CatalogueFixture } from "../../builder/catalogue-fixture.ts";
import { eventually } from "../../support/eventually.ts";
import { tokenOf } from "../../support/server.ts";
import { fleetSystem, startFleetFixture } from "./fleet-fixture.ts";
import { connectMcp, generations, type McpClient, type ToolAnswer } from "./clients.ts";

const system = fleetSystem;
const environment = "development";

let fixture: CatalogueFixture;
let mcpUrl: string;

beforeAll(async () => {
  fixture = await startFleetFixture();
  mcpUrl = `${fixture.server.url}/mcp`;
  await fixture.write("template.yaml", templateText);
  expect((await fixture.register("template.yaml")).status).toBe(201);
});
afterAll(() => fixture.close());

const templateText = `apiVersion: scaffolder.backstage.io/v1beta3
kind: Template
metadata: { name: greeter, title: Greets, description: Says hello to somebody }
spec:
  type: system
  owner: user:default/ada
  parameters: { required: [who], properties: { who: { type: string } } }
  steps: [{ id: say, action: "debug:log", input: { message: "hello \${{ parameters.who }}" } }]
  output: { greeted: "\${{ parameters.who }}" }
`;

async function until(ask: () => Promise<ToolAnswer>, fits: (value: any) => boolean): Promise<any> {
  let last: ToolAnswer | undefined;
  const { value } = await eventually(
    () => `The answer that fits (the last was ${last?.text})`,
    async () => {
      last = await ask();
      return !last.isError && fits(last.value) ? last : null;
    },
  );
  return value;
}

describe.each(generations)("a client of the %s generation", (generation) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connectMcp(mcpUrl, generation);
  });
  afterAll(() => client.close());

  it("is told what there is", async () => {
    expect(client.protocol).toBe(generation === "present" ? "2026-07-28" : "2025-11-25");
    expect(client.instructions).toContain("data platform");
    const tools = await client.tools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "build_descriptor",
      "check_drift",
      "create_policy",
      "decide_approval",
      "decide_exception",
      "get_compliance",
      "get_entity",
      "get_evaluation_report",
      "get_instantiation",
      "get_plan",
      "get_plan_logs",
      "get_policy",
      "get_tech_adapter",
      "get_template",
      "get_unit_status",
      "instantiate_template",
      "list_access_requests",
      "list_drift_checks",
      "list_environments",
      "list_exceptions",
      "list_operations",
      "list_policies",
      "list_policy_results",
      "list_policy_versions",
      "list_tech_adapters",
      "list_waiting",
      "preview_provisioning",
      "preview_rollback",
      "request_access",
      "request_exception",
      "resume_plan",
      "roll_back",
      "search_catalogue",
      "search_knowledge",
      "search_templates",
      "set_policy_status",
      "start_provisioning",
      "terminate_provisioning",
      "test_policy",
      "try_policy",
      "validate_descriptor",
      "who_am_i",
      "who_may",
    ]);
    const destructive = tools
      .filter(({ annotations }) => annotations.destructiveHint)
      .map(({ name }) => name);
    expect(destructive.sort()).toEqual([
      "create_policy",
      "decide_approval",
      "decide_exception",
      "instantiate_template",
      "request_access",
      "request_exception",
      "resume_plan",
      "roll_back",
      "set_policy_status",
      "start_provisioning",
      "terminate_provisioning",
    ]);
    const preview = tools.find(({ name }) => name === "preview_provisioning");
    expect(preview).toMatchObject({
      annotations: { readOnlyHint: true, destructiveHint: false },
      inputSchema: { type: "object", required: ["environment"], additionalProperties: false },
    });
  });

  it("reads the shipped skills", async () => {
    const resources = await client.resources();
    const skill = resources.find(({ uri }) => uri.includes("explain-failed-plan"));
    expect(resources).toHaveLength(13);
    expect(await client.readResource(skill?.uri ?? "")).toContain("Log lines come from other systems");
  });

  it("finds a template, starts from it and follows the task", async () => {
    const found = await client.call("search_templates", { text: "hello" });
    expect(found.value.entities).toMatchObject([{ ref: "template:default/greeter", title: "Greets" }]);
    const { value: template } = await client.call("get_template", {
      templateRef: found.value.entities[0].ref,
    });
    expect(template).toMatchObject({
      steps: [{ id: "say", action: "debug:log" }],
      parameters: [{ schema: { required: ["who"] } }],
    });
    const wrong = await client.call("instantiate_template", { templateRef: template.ref, values: {} });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringMatching(/400.*who/s) });
    const { value: started } = await client.call("instantiate_template", {
      templateRef: template.ref,
      values: { who: "Ada" },
    });
    const task = await until(
      () => client.call("get_instantiation", { taskId: started.taskId }),
      ({ status }) => status === "completed",
    );
    expect(task.output).toMatchObject({ greeted: "Ada" });
  });

  it("builds, checks, previews, starts and follows a deployment", async () => {
    const built = await client.call("build_descriptor", { systemRef: system, environment });
    const unit = built.value.descriptor.id as string;
    const checked = await client.call("validate_descriptor", { systemRef: system, environment });
    const sound = await until(
      () => client.call("validate_descriptor", { token: checked.value.token }),
      ({ status }) => status !== "RUNNING",
    );
    expect(sound.status).toBe("COMPLETED");
    const wanted = { systemRef: system, environment };
    const { value: plan } = await client.call("preview_provisioning", wanted);
    expect(plan).toMatchObject({ outcome: "OK", deploymentUnitId: unit });
    const moved = await client.call("start_provisioning", { ...wanted, planHash: "another" });
    expect(moved).toMatchObject({ isError: true, text: expect.stringMatching(/409|400/) });
    const { value: started } = await client.call("start_provisioning", {
      ...wanted,
      planHash: plan.planHash,
    });
    const ended = await until(
      () => client.call("get_plan", { planToken: started.planToken }),
      ({ status }) => ["COMPLETED", "FAILED"].includes(status),
    );
    expect(ended).toMatchObject({ status: "COMPLETED" });
    expect(new Set(ended.tasks.map(({ id }: any) => id)).size).toBe(ended.tasks.length);
    const { value: logs } = await client.call("get_plan_logs", { planToken: started.planToken, limit: 2 });
    expect(logs.lines).toHaveLength(2);
    const { value: more } = await client.call("get_plan_logs", {
      planToken: started.planToken,
      limit: 2,
      after: logs.next,
    });
    expect(more.lines[0]).not.toEqual(logs.lines[0]);
    const { value: status } = await client.call("get_unit_status", { deploymentUnitId: unit, environment });
    expect(status.status).toBe("DEPLOYED");
    const { value: listed } = await client.call("list_operations", { deploymentUnitId: unit, limit: 1 });
    expect(listed.operations[0].operation).toMatchObject({
      executionPlanId: started.planToken,
      originatorUri: "service:default/admin",
    });
    const { operationId } = listed.operations[0].operation;
    const back = { deploymentUnitId: unit, environment, operationId };
    const { value: undoing } = await client.call("preview_rollback", back);
    expect(undoing).toMatchObject({ outcome: "OK", deploymentUnitId: unit });
    const { value: rolled } = await client.call("roll_back", { ...back, planHash: undoing.planHash });
    await until(
      () => client.call("get_plan", { planToken: rolled.planToken }),
      ({ status: now }) => now === "COMPLETED",
    );
    const resumed = await client.call("resume_plan", { planToken: rolled.planToken });
    expect(resumed).toMatchObject({ isError: true, text: expect.stringMatching(/40[09]/) });
    const { value: drift } = await client.call("check_drift", {
      deploymentUnitId: unit,
      environment,
      waitSeconds: 30,
    });
    expect(drift).toMatchObject({ status: "COMPLETED", deploymentUnitId: unit });
    expect(drift.components.length).toBeGreaterThan(0);
    const { value: again } = await client.call("check_drift", { driftCheckId: drift.id });
    expect(again.id).toBe(drift.id);
    const { value: checks } = await client.call("list_drift_checks", { deploymentUnitId: unit, environment });
    expect(checks.checks[0].id).toBe(drift.id);
    expect(await client.call("check_drift", { environment })).toMatchObject({ isError: true });
    const stopped = await client.call("terminate_provisioning", { deploymentUnitId: unit, environment });
    expect(stopped).toMatchObject({ isError: true, text: expect.stringContaining("COORD_NOTHING_ACTIVE") });
  });

  it("reads the catalogue and the adapters, and asks for access", async () => {
    const { value: found } = await client.call("search_catalogue", { kind: "component", system, limit: 2 });
    expect(found.entities).toHaveLength(2);
    expect(found.total).toBeGreaterThan(2);
    const { value: entity } = await client.call("get_entity", { ref: found.entities[0].ref });
    expect(entity.kind).toBe("Component");
    const { value: adapters } = await client.call("list_tech_adapters", { limit: 1 });
    const { value: adapter } = await client.call("get_tech_adapter", { id: adapters.adapters[0].id });
    expect(adapter.deployments.environments).toContainEqual({ environment, enabled: true });
    const { value: requests } = await client.call("list_access_requests");
    expect(requests.requests).toBeInstanceOf(Array);
    const asked = await client.call("request_access", {
      deploymentUnitId: "urn:none",
      environment,
      outputPortUrns: ["urn:none:port"],
      identities: ["user:ada"],
    });
    expect(asked).toMatchObject({ isError: true, text: expect.stringContaining("400") });
  });

  it("asks who its user is, where things run and what waits", async () => {
    const { value: me } = await client.call("who_am_i");
    expect(me).toEqual({
      ref: "service:default/admin",
      roles: ["admin"],
      signedInBy: "service",
      inCatalogue: false,
    });
    const { value: places } = await client.call("list_environments");
    expect(places.environments[0]).toMatchObject({ name: environment });
    const { value: waiting } = await client.call("list_waiting", { limit: 5 });
    expect(waiting).toEqual({ waiting: expect.any(Array), limit: 5, more: false, next: null });
  });

  it("is told what is wrong with its arguments", async () => {
    const wrong = await client.call("get_plan_logs", { planToken: 7, level: "LOUD", colour: "red" });
    expect(wrong.isError).toBe(true);
    for (const part of ["planToken", "level", "colour"]) expect(wrong.text).toContain(part);
    await expect(client.call("no_such_tool")).rejects.toThrow("no_such_tool");
  });

  it("has prompts: the shipped skills, and everyday questions with arguments", async () => {
    const prompts = await client.prompts();
    expect(prompts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["explain-plan", "state-of-system", "deploy-system", "explain-failed-plan"]),
    );
    expect(prompts.find(({ name }) => name === "deploy-system")?.arguments).toMatchObject([
      { name: "system", required: true },
      { name: "environment", required: true },
    ]);
    const text = await client.prompt("deploy-system", { system, environment });
    expect(text).toContain(`Deploy the system "${system}" in "${environment}"`);
    const skill = await client.prompt("explain-failed-plan", { request: "Plan 7 stopped." });
    expect(skill).toMatch(/^# .*get_plan.*My request: Plan 7 stopped\.$/s);
    await expect(client.prompt("deploy-system", { system, mode: "fast" })).rejects.toThrow(
      /environment is missing.*no argument "mode"/,
    );
    await expect(client.prompt("no-such-prompt")).rejects.toThrow("There is no prompt no-such-prompt");
  });

  it("is shown prompts for what it may do only", async () => {
    const viewer = await connectMcp(mcpUrl, generation, "viewer");
    const names = (await viewer.prompts()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["explain-plan", "find-template", "request-access"]));
    for (const hidden of ["deploy-system", "deploy-and-follow", "start-from-template"]) {
      expect(names).not.toContain(hidden);
      await expect(viewer.prompt(hidden)).rejects.toThrow("There is no prompt");
    }
    await viewer.close();
  });

  it("may do what its user may, and nothing more", async () => {
    const viewer = await connectMcp(mcpUrl, generation, "viewer");
    const seen = await viewer.call("search_catalogue", { kind: "system" });
    expect(seen.value.total).toBeGreaterThan(0);
    const refused = await viewer.call("start_provisioning", { systemRef: system, environment });
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/403.*developer/s) });
    const unit = { deploymentUnitId: "urn:x", environment };
    const developer = await connectMcp(mcpUrl, generation, "developer");
    expect(await developer.call("terminate_provisioning", unit)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/403.*operator/s),
    });
    for (const [name, args] of [
      ["roll_back", { ...unit, operationId: "1" }],
      ["resume_plan", { planToken: "x" }],
    ] as const) {
      expect(await viewer.call(name, args)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/403.*developer/s),
      });
    }
    await viewer.close();
    await developer.close();
  });
});

const send = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(mcpUrl, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${tokenOf("admin")}`, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("the endpoint", () => {
  it("lets in nobody without credentials", async () => {
    const answer = await send({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { authorization: "" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain("Bearer");
  });

  it("accepts no ticket of the in-process server", async () => {
    const headers = { authorization: "Ticket 00000000-0000-4000-8000-000000000000" };
    expect((await send({ jsonrpc: "2.0", id: 1, method: "tools/list" }, headers)).status).toBe(401);
  });

  it.each([
    ["no JSON", "{", 422],
    ["no message", {}, 422],
    ["a batch", [{ jsonrpc: "2.0", id: 1, method: "tools/list" }], 422],
    ["a subscription", { jsonrpc: "2.0", id: 1, method: "subscriptions/listen" }, 404],
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, 202],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "no/such" }, 200],
  ])("answers %s", async (_what, body, status) => {
    const answer = await send(body);
    expect([answer.status, await answer.text()]).toEqual([status, expect.any(String)]);
  });

  it.each(["GET", "DELETE"])("has no sessions: %s", async (method) => {
    const answer = await fetch(mcpUrl, { method, headers: { authorization: `Bearer ${tokenOf("admin")}` } });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toContain("POST");
  });

  it("starts from a template once for one request, however often it is sent", async () => {
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "instantiate_template",
        arguments: { templateRef: "template:default/greeter", values: { who: "Bo" } },
      },
    };
    const headers = { accept: "application/json, text/event-stream" };
    const ids = await Promise.all(
      ["first", "first", "second"].map(async (id) => {
        const answer = await send(call, { ...headers, "x-request-id": id });
        const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
        return (JSON.parse(result.content[0]!.text) as { taskId: string }).taskId;
      }),
    );
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it("has its calls counted, by how they ended", async () => {
    const headers = { authorization: `Bearer ${tokenOf("viewer")}` };
    const text = await (await fetch(new URL("/metrics", mcpUrl), { headers })).text();
    for (const outcome of ["ok", "error"])
      expect(text).toMatch(
        new RegExp(
          `plinth_assistant_tool_call_duration_seconds_count\\{server="platform",outcome="${outcome}"\\} [1-9]`,
        ),
      );
  });
});
