/** Policies about what agents do: they decide before anybody is asked. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import { until, type WholeServer } from "../../support/server.ts";
import { startModelServer } from "../model-server.ts";
import { testTools } from "./agents.ts";
import { allOf, openStream, readUntil } from "./stream.ts";

let server: WholeServer;
let model: ScriptedModel;
let count = 0;
const tools = testTools();

beforeAll(async () => {
  ({ server, model } = await startModelServer([], { tools }));
});
afterAll(() => server.close());
beforeEach(() => {
  tools.calls.length = 0;
});

/** In force until the returned function is called. */
async function policy(assert: string, status: "grace" | "enabled") {
  const id = `action-${++count}`;
  const body = {
    id,
    name: "Nothing of the harbour",
    advice: "Leave the harbour alone.",
    resourceType: "agent_action",
    engine: "cel",
    spec: { assert },
  };
  const made = await server.governance({ method: "POST", path: "/policies", body });
  expect(made.status, made.text).toBe(201);
  const to = (next: string, more: object = {}) =>
    server.governance({
      method: "POST",
      path: `/policies/${id}/status`,
      body: { status: next, reason: "A test.", ...more },
    });
  const graceUntil = "2999-01-01T00:00:00Z";
  expect((await to(status, status === "grace" ? { graceUntil } : {})).status).toBe(200);
  return () => to("disabled");
}

const run = (name: string, given: object) => {
  model.follow([
    { role: "user", turn: { calls: [{ name, arguments: given }] } },
    { role: "tool", turn: { text: "Understood." } },
  ]);
  return openStream(`${server.url}/api/assistant/v2/task`, { body: { message: "Go on", session_id: null } });
};
const lastToModel = (): string => String(model.requests.at(-1)?.body.messages.at(-1)?.content);

it("an enabled policy denies a call, which nobody is asked about, and the model learns why", async () => {
  const end = await policy(
    "resource.tool != 'unit:remove' || resource.arguments.what != 'harbour'",
    "enabled",
  );
  const records = await allOf(await run("unit__remove", { what: "harbour" }));
  expect(records.some(({ data }) => data.name === "approval_required")).toBe(false);
  expect(records.at(-1)?.data.result.message).toBe("Understood.");
  expect(tools.calls).toEqual([]);
  expect(lastToModel()).toMatch(
    /policies do not allow this call\. Nothing of the harbour \(action-1, version 1\): .* Leave the harbour alone\./,
  );
  await end();
});

it("a policy in grace has the user asked about a call that needs no approval otherwise", async () => {
  const end = await policy("resource.agent == 'nobody'", "grace");
  const stream = await run("unit__look", { what: "harbour" });
  let runId = "";
  const asked = await readUntil(stream, ({ event, data }) => {
    if (event === "RUN_STARTED") runId = data.runId;
    return data.name === "policies_ask";
  });
  expect(asked.data.value.reasons[0]).toContain("Nothing of the harbour (action-2, version 1)");
  const waiting = await until(
    () => server.assistant({ path: `/runs/${runId}` }),
    ({ body }) => body.status === "waiting",
  );
  expect(tools.calls).toEqual([]);
  const [{ id }] = waiting.body.approvals;
  const path = `/runs/${runId}/approvals/${id}`;
  expect((await server.assistant({ method: "POST", path, body: { approved: true } })).status).toBe(200);
  await until(
    () => server.assistant({ path: `/runs/${runId}` }),
    ({ body }) => body.status === "completed",
  );
  expect(tools.calls).toHaveLength(1);
  await end();
});

it("arguments that the user has changed are checked again", async () => {
  const end = await policy("resource.arguments.what != 'harbour'", "enabled");
  const stream = await run("unit__remove", { what: "x" });
  let runId = "";
  const found = await readUntil(stream, ({ event, data }) => {
    if (event === "RUN_STARTED") runId = data.runId;
    return data.name === "approval_required";
  });
  await until(
    () => server.assistant({ path: `/runs/${runId}` }),
    ({ body }) => body.status === "waiting",
  );
  const path = `/runs/${runId}/approvals/${found.data.value.approval_id}`;
  const body = { approved: true, arguments: { what: "harbour" } };
  const decided = await server.assistant({ method: "POST", path, body });
  expect(decided.status, decided.text).toBe(200);
  await until(
    () => server.assistant({ path: `/runs/${runId}` }),
    ({ body: now }) => now.status === "completed",
  );
  expect(tools.calls).toEqual([]);
  await end();
});

it.each([
  ["refused", { approved: false }, []],
  ["edited", { approved: true, arguments: { what: "edited" } }, [{ what: "edited" }]],
])("a call that was %s stays so when the policy is gone by then", async (_, decision, made) => {
  const end = await policy("resource.agent == 'nobody'", "grace");
  const stream = await run("unit__look", { what: "harbour" });
  const { data: started } = await readUntil(stream, ({ event }) => event === "RUN_STARTED");
  const { data: required } = await readUntil(stream, ({ data }) => data.name === "approval_required");
  await end();
  const path = `/runs/${started.runId}/approvals/${required.value.approval_id}`;
  const decided = await server.assistant({ method: "POST", path, body: decision });
  expect(decided.status, decided.text).toBe(200);
  await allOf(stream);
  expect(tools.calls.map(({ arguments: given }) => given)).toEqual(made);
});

it("without such policies nothing changes", async () => {
  await allOf(await run("unit__look", { what: "x" }));
  expect(tools.calls).toHaveLength(1);
});
