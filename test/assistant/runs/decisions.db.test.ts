/** What waits for a user, and what a decision may carry: a reason, other arguments. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import type { Rule } from "../../support/scripted-model/script.ts";
import { until, type WholeServer } from "../../support/server.ts";
import { startModelServer } from "../model-server.ts";
import { testTools } from "./agents.ts";
import { allOf, openStream, readUntil, type OpenedStream } from "./stream.ts";

let server: WholeServer;
let model: ScriptedModel;
const tools = testTools();

beforeAll(async () => {
  ({ server, model } = await startModelServer([], { tools }));
});
afterAll(() => server.close());
beforeEach(() => {
  tools.calls.length = 0;
  tools.isForbidden = false;
});

const removalOf = (given: Record<string, unknown>): Rule[] => [
  { role: "user", turn: { calls: [{ name: "unit__remove", arguments: given }] } },
  { role: "tool", turn: { text: "Understood." } },
];

const task = (message = "Remove x", session?: string): Promise<OpenedStream> =>
  openStream(`${server.url}/api/assistant/v2/task`, { body: { message, session_id: session ?? null } });

/** A run that waits, with its approval. */
async function waitingRun() {
  const stream = await task();
  let runId = "";
  const found = await readUntil(stream, ({ event, data }) => {
    if (event === "RUN_STARTED") runId = data.runId;
    return data.name === "approval_required";
  });
  await until(
    () => server.assistant({ path: `/runs/${runId}` }),
    ({ body }) => body.status === "waiting",
  );
  const approvalId: string = found.data.value.approval_id;
  const decide = (body: object) =>
    server.assistant({ method: "POST", path: `/runs/${runId}/approvals/${approvalId}`, body });
  return { stream, runId, approvalId, decide };
}

const lastToModel = (): string => String(model.requests.at(-1)?.body.messages.at(-1)?.content);

it("a reason of a refusal reaches the model and the run's record", async () => {
  model.follow(removalOf({ what: "x" }));
  const { stream, runId, approvalId, decide } = await waitingRun();
  expect((await decide({ approved: false, reason: "It is in use until Friday" })).status).toBe(200);
  const records = await allOf(stream);
  expect(records.at(-1)?.data.result.message).toBe("Understood.");
  expect(lastToModel()).toContain('The user\'s reason: "It is in use until Friday".');
  const decided = records.find(({ data }) => data.name === "approval_decided");
  expect(decided?.data.value).toMatchObject({ approval_id: approvalId, reason: "It is in use until Friday" });
  const { body } = await server.assistant({ path: `/runs/${runId}` });
  expect(body.approvals[0]).toMatchObject({ status: "denied", reason: "It is in use until Friday" });
  expect(tools.calls).toEqual([]);
});

it("edited arguments are what the tool is called with, masks keep their values, and the model is reported", async () => {
  model.follow(removalOf({ what: "x", password: "canary-7" }));
  const { stream, runId, approvalId, decide } = await waitingRun();
  const listed = await server.assistant({ path: "/approvals" });
  expect(listed.body.data).toMatchObject([
    {
      approval_id: approvalId,
      run_id: runId,
      agents: ["Main"],
      server: "unit",
      tool: "remove",
      arguments: { what: "x", password: "********" },
    },
  ]);
  expect(JSON.stringify(listed.body)).not.toContain("canary-7");
  expect(listed.body.data[0].how_to_decide).toContain(`/runs/${runId}/approvals/${approvalId}`);
  const given = { what: "y", password: "********" };
  expect((await decide({ approved: true, arguments: given })).status).toBe(200);
  expect((await decide({ approved: true, arguments: given })).status).toBe(200);
  expect((await decide({ approved: true })).status).toBe(409);
  expect((await decide({ approved: true, arguments: { what: "z" } })).status).toBe(409);
  await allOf(stream);
  expect(tools.calls.map((call) => call.arguments)).toEqual([{ what: "y", password: "canary-7" }]);
  expect(lastToModel()).toContain('The user changed the arguments to {"what":"y"');
  const { body } = await server.assistant({ path: `/runs/${runId}` });
  expect(body.approvals[0]).toMatchObject({ status: "approved", edited_arguments: { what: "y" } });
  expect((await server.assistant({ path: "/approvals" })).body.meta.pagination.total).toBe(0);
});

it.each([
  [{ approved: true, arguments: { what: 5 } }, ["body", "arguments", "what"], "string_type"],
  [{ approved: true, arguments: { what: "x".repeat(21) } }, ["body", "arguments", "what"], "string_too_long"],
  [{ approved: true, arguments: { key: "********" } }, ["body", "arguments", "key"], "value_error"],
  [{ approved: false, arguments: { what: "y" } }, ["body", "arguments"], "value_error"],
  [{ approved: true, arguments: "y" }, ["body", "arguments"], undefined],
  [{ approved: false, reason: "x".repeat(2_001) }, ["body", "reason"], undefined],
])("refuses %j", async (body, loc, type) => {
  model.follow(removalOf({ what: "x" }));
  const { stream, runId, decide } = await waitingRun();
  const { status, body: answer } = await decide(body);
  expect(status).toBe(422);
  expect(answer.detail[0].loc).toEqual(loc);
  if (type !== undefined) expect(answer.detail[0].type).toBe(type);
  await server.assistant({ method: "POST", path: `/runs/${runId}/cancel` });
  stream.close();
});

it.each([
  [
    "arguments that the tool does not take",
    { what: 5 },
    "unit:remove are not valid: /what: must be a string",
  ],
  ["a user who may not", { what: "x" }, "the user may not call remove."],
])("asks nobody about %s", async (_, given, reported) => {
  tools.isForbidden = reported.startsWith("the user");
  model.follow(removalOf(given));
  const stream = await task();
  const records = await allOf(stream);
  expect(records.some(({ data }) => data.name === "approval_required")).toBe(false);
  expect(records.at(-1)?.data.result.message).toBe("Understood.");
  expect(lastToModel()).toContain(reported);
  expect(tools.calls).toEqual([]);
});

it("lists only what waits for the caller, page by page", async () => {
  model.follow(removalOf({ what: "x" }));
  const first = await waitingRun();
  const second = await waitingRun();
  const ids = async (query: string, as: "admin" | "developer" = "admin") => {
    const { body } = await server.assistant({ path: `/approvals${query}`, as });
    return { ids: body.data.map((each: any) => each.approval_id), total: body.meta.pagination.total };
  };
  expect(await ids("")).toEqual({ ids: [first.approvalId, second.approvalId], total: 2 });
  expect(await ids("?limit=1&offset=1")).toEqual({ ids: [second.approvalId], total: 2 });
  expect(await ids("", "developer")).toEqual({ ids: [], total: 0 });
  expect((await server.assistant({ path: "/approvals?limit=101" })).status).toBe(422);
  for (const { runId, stream } of [first, second]) {
    await server.assistant({ method: "POST", path: `/runs/${runId}/cancel` });
    stream.close();
  }
  expect(await ids("")).toEqual({ ids: [], total: 0 });
});
