/** Clients without a call for approvals: each is answered at once, says yes or no its own way, and goes on. */
import { randomUUID } from "node:crypto";
import { HttpAgent } from "@ag-ui/client";
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type ChatState,
  type UIMessage,
} from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { send, startWholeServer, tokenOf, type Answer, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";
import { allOf, openStream, type Received } from "./stream.ts";

let db: TestDatabase;
let server: WholeServer;
let model: ScriptedModel;
const tools = testTools();

const start = (): Promise<WholeServer> =>
  startWholeServer({
    db: { ...db, drop: async () => {} },
    replaced: { runs: testPorts(model.url), tools },
    configure(config) {
      config.assistant.titles = "message";
    },
  });

beforeAll(async () => {
  db = await testDatabase();
  model = await startScriptedModel([]);
  server = await start();
});
afterAll(async () => {
  await server.close();
  await model.close();
  await db.drop();
});
beforeEach(() => {
  tools.calls.length = 0;
  model.follow([
    { role: "user", last: "Hello", turn: { text: "Good morning" } },
    { role: "user", last: "both", turn: { calls: [removal("x"), removal("y")] } },
    { role: "user", turn: { text: "I remove it.", calls: [removal("x")] } },
    { role: "tool", last: "too risky", turn: { text: "Then not, it is too risky." } },
    { role: "tool", last: "did not allow", turn: { text: "Then not." } },
    { role: "tool", turn: { text: "Removed." } },
  ]);
});

const removal = (what: string) => ({ name: "unit__remove", arguments: { what } });

const restart = async (): Promise<void> => {
  await server.close();
  server = await start();
};

const headers = { authorization: `Bearer ${tokenOf("admin")}` };
const at = (path: string): string => `${server.url}/api/assistant${path}`;
const openai = (as: "admin" | "developer" = "admin"): OpenAI =>
  new OpenAI({ baseURL: at("/v1"), apiKey: tokenOf(as), maxRetries: 0 });
const call = (path: string, body: unknown): Promise<Answer> =>
  send(`${server.url}/api/assistant`, { method: "POST", path, body });
const removed = (): unknown[] => tools.calls.map((each) => each.arguments["what"]);
const approvalIn = (text: string): string => /approval_id: ([0-9a-f-]{36})/.exec(text)?.[1] ?? "";
const runOf = async (sessionId: string): Promise<string> => {
  const { body } = await server.assistant({ path: "/approvals" });
  return body.data.find((each: any) => each.session_id === sessionId)?.run_id;
};

type Message = OpenAI.ChatCompletionMessageParam;
const chat = async (messages: Message[], as: "admin" | "developer" = "admin"): Promise<string> => {
  const { choices } = await openai(as).chat.completions.create({ model: "main", messages });
  expect(choices[0]?.finish_reason).toBe("stop");
  return choices[0]?.message.content ?? "";
};

it("Chat Completions: a finished message says what waits, and the next one decides, over a restart", async () => {
  const asked: Message = { role: "user", content: "Remove x" };
  const waits = await chat([asked]);
  expect(waits).toContain('unit:remove with {"what":"x"}, until 20');
  expect(waits).toContain('"approve", or "refuse" or "refuse: why"');
  const history: Message[] = [asked, { role: "assistant", content: waits }];
  await restart();
  await expect(chat([...history, { role: "user", content: "approve" }], "developer")).rejects.toThrow("404");
  expect(removed()).toEqual([]);
  const said = [...history, { role: "user", content: " Approve\n" } as const];
  expect(await chat(said)).toBe("Removed.");
  // The client's own repeat gets the same answer.
  expect(await chat(said)).toBe("Removed.");
  expect(removed()).toEqual(["x"]);
  await expect(chat([...history, { role: "user", content: "refuse" }])).rejects.toThrow("409");
});

it("Chat Completions: a refusal with its reason, streamed", async () => {
  const messages: Message[] = [{ role: "user", content: "Remove x" }];
  const waits = await openai().chat.completions.stream({ model: "main", messages }).finalChatCompletion();
  expect(waits.choices[0]?.finish_reason).toBe("stop");
  const content = waits.choices[0]?.message.content ?? "";
  expect(content).toMatch(/^I remove it\.\n\nThis call of a tool waits/);
  expect(approvalIn(content)).toHaveLength(36);
  messages.push({ role: "assistant", content }, { role: "user", content: "refuse: too risky" });
  const rest = openai().chat.completions.stream({ model: "main", messages });
  expect(await rest.finalContent()).toBe("Then not, it is too risky.");
  expect(removed()).toEqual([]);
});

it("Chat Completions: approve without anything that waits is a message as any other", async () => {
  const messages: Message[] = [
    { role: "user", content: "Remove x" },
    { role: "assistant", content: "approval_id" },
    { role: "user", content: "approve" },
  ];
  expect(await chat(messages)).toContain("unit:remove with");
});

it("Responses: requests and answers of approvals are items", async () => {
  const waits = await openai().responses.create({ model: "main", input: "Remove x" });
  expect(waits.status).toBe("completed");
  expect(waits.output_text).toContain("waits for you to allow it");
  const request = waits.output.find(({ type }) => type === "mcp_approval_request") as any;
  expect(request).toMatchObject({ server_label: "unit", name: "remove", arguments: '{"what":"x"}' });
  await restart();
  // Read again it waits as well, after what the model had said before, until the run has gone on.
  const read = await openai().responses.retrieve(waits.id);
  expect(read).toMatchObject({ id: waits.id, status: "completed", usage: waits.usage });
  expect(read.output_text).toBe(`I remove it.\n\n${waits.output_text}`);
  expect(read.output.slice(1)).toEqual([request]);
  const answer = (approve: boolean, reason?: string) =>
    ({ type: "mcp_approval_response", approval_request_id: request.id, approve, reason }) as const;
  const next = { model: "main", previous_response_id: waits.id };
  const done = await openai().responses.create({ ...next, input: [answer(true)] });
  expect(done.output_text).toBe("Removed.");
  expect(removed()).toEqual(["x"]);
  // It is an answer of its own: both ids resolve, and both go on.
  expect(done.id).not.toBe(waits.id);
  const again = await openai().responses.retrieve(done.id);
  expect(again).toMatchObject({ id: done.id, output: done.output, output_text: "Removed." });
  const events: { type: string; response?: { id: string } }[] = [];
  for await (const event of await openai().responses.retrieve(done.id, { stream: true })) events.push(event);
  expect(events.at(-1)).toMatchObject({
    type: "response.completed",
    response: { id: done.id, output: done.output },
  });
  await openai().responses.create({ model: "main", input: "Hello", previous_response_id: done.id });
  const ended = await openai().responses.retrieve(waits.id);
  expect(ended.output.map(({ type }) => type)).toEqual(["message"]);
  await expect(openai().responses.create({ ...next, input: [answer(false)] })).rejects.toThrow("409");
  const unknown = { ...answer(true), approval_request_id: `mcpr_${randomUUID()}` };
  await expect(openai().responses.create({ ...next, input: [unknown] })).rejects.toThrow("404");
});

it("Responses: of a whole history only the answers after the last message of the assistant count", async () => {
  const asked = { role: "user" as const, content: "Remove x" };
  const request = {
    type: "mcp_approval_request" as const,
    id: `mcpr_${randomUUID()}`,
    server_label: "unit",
    name: "remove",
    arguments: "{}",
  };
  const answer = { type: "mcp_approval_response" as const, approval_request_id: request.id, approve: true };
  const said = (content: string) => ({ role: "assistant" as const, content });
  const before = [asked, said("It waits."), request, answer];
  const again = [...before, said("Removed."), { role: "user" as const, content: "Hello" }];
  const { output_text: text } = await openai().responses.create({ model: "main", input: again });
  expect(text).toBe("Good morning");
  // Without an answer of the assistant behind it, it is a decision, here one about nothing.
  await expect(openai().responses.create({ model: "main", input: before })).rejects.toThrow("404");
});

it("Responses: streamed, refused with a reason", async () => {
  const waits = await openai().responses.stream({ model: "main", input: "Remove both" }).finalResponse();
  const requests = waits.output.filter(({ type }) => type === "mcp_approval_request") as any[];
  const read = await openai().responses.retrieve(waits.id);
  // The client adds fields of its own to what it has streamed.
  expect(waits).toMatchObject({ status: read.status, output: read.output, output_text: read.output_text });
  requests.sort((a, b) => (a.arguments < b.arguments ? -1 : 1));
  expect(requests.map((each) => each.arguments)).toEqual(['{"what":"x"}', '{"what":"y"}']);
  const decide = (request: any, approve: boolean) =>
    openai()
      .responses.stream({
        model: "main",
        previous_response_id: waits.id,
        input: [
          { type: "mcp_approval_response", approval_request_id: request.id, approve, reason: "too risky" },
        ],
      })
      .finalResponse();
  // One is decided, and it waits for the other one.
  const half = await decide(requests[0], true);
  expect(half.output.filter(({ type }) => type === "mcp_approval_request")).toMatchObject([
    { id: requests[1].id },
  ]);
  expect((await decide(requests[1], false)).output_text).toBe("Then not, it is too risky.");
  expect(removed()).toEqual(["x"]);
});

class Chat extends AbstractChat<UIMessage> {}

function newChat(id: string = randomUUID()): Chat {
  const state: ChatState<UIMessage> = {
    status: "ready",
    error: undefined,
    messages: [],
    pushMessage: (message) => void state.messages.push(message),
    popMessage: () => void state.messages.pop(),
    replaceMessage: (index, message) => void (state.messages[index] = message),
    snapshot: (thing) => structuredClone(thing),
  };
  return new Chat({
    id,
    state,
    transport: new DefaultChatTransport({ api: at("/chat"), headers }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
}

const toolPart = ({ messages }: Chat): any =>
  messages.at(-1)?.parts.find(({ type }) => type === "dynamic-tool");
const lastText = ({ messages }: Chat): string =>
  (messages.at(-1)?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("|");

it.each([
  [true, "output-available", "Removed.", ["x"]],
  [false, "output-denied", "Then not, it is too risky.", []],
])(
  "useChat: the answer %s to an approval goes on in the same message",
  async (approved, state, text, calls) => {
    const ui = newChat();
    await ui.sendMessage({ text: "Remove x" });
    expect(ui.status).toBe("ready");
    expect(toolPart(ui)).toMatchObject({ state: "approval-requested", input: { what: "x" } });
    await restart();
    (ui as any).transport.api = at("/chat");
    await ui.addToolApprovalResponse({ id: toolPart(ui).approval.id, approved, reason: "too risky" });
    await expect.poll(() => `${ui.status} ${lastText(ui)}`).toMatch(/^ready.*(?:Removed|risky)/);
    expect(ui.error).toBeUndefined();
    expect(lastText(ui)).toContain(text);
    expect(toolPart(ui)).toMatchObject({ state });
    expect(ui.messages).toHaveLength(2);
    expect(removed()).toEqual(calls);
  },
);

it("useChat: a message to a chat that waits is answered with what waits, and approve decides", async () => {
  const ui = newChat();
  await ui.sendMessage({ text: "Remove x" });
  const { id } = toolPart(ui).approval;
  await ui.sendMessage({ text: "Hello?" });
  expect(lastText(ui)).toContain(`approval_id: ${id}`);
  expect(toolPart(ui)).toMatchObject({ state: "approval-requested", approval: { id } });
  await ui.sendMessage({ text: "approve" });
  expect(ui.error).toBeUndefined();
  expect(lastText(ui)).toContain("Removed.");
  expect(removed()).toEqual(["x"]);
});

const sync = (message: string, more: object = {}): Promise<Answer> =>
  call("/v2/task/sync", { message, ...more });

it("Task Sync: says what waits, answers other messages with it, and decides once under a request id", async () => {
  const { status, body } = await sync("Remove x");
  expect(status).toBe(200);
  expect(body.message).toContain('unit:remove with {"what":"x"}');
  const { session_id } = body;
  const approvalId = approvalIn(body.message);
  const listed = await server.assistant({ path: "/sessions?limit=1" });
  expect(listed.body.data[0].waiting).toEqual({
    run_id: await runOf(session_id),
    approval_ids: [approvalId],
  });
  await restart();
  const other = await sync("Hello", { session_id, request_id: "other" });
  expect(other.body.message).toContain("Your message was not worked on");
  expect(approvalIn(other.body.message)).toBe(approvalId);
  expect((await sync("Hello", { session_id, request_id: "other" })).body).toEqual(other.body);
  const decision = { session_id, request_id: "decision" };
  expect((await sync("approve", decision)).body).toMatchObject({ message: "Removed.", session_id });
  expect((await sync("approve", decision)).body).toMatchObject({ message: "Removed.", session_id });
  for (const message of ["refuse", "Hello"]) {
    const reused = await sync(message, decision);
    expect([reused.status, reused.body.detail?.[0]?.loc]).toEqual([422, ["body", "request_id"]]);
  }
  expect(removed()).toEqual(["x"]);
  expect((await server.assistant({ path: "/sessions?limit=1" })).body.data[0].waiting).toBeNull();
  const { body: messages } = await server.assistant({ path: `/sessions/${session_id}/messages` });
  const saidOf = messages.data.map(({ role, content }: any) => `${role}: ${content.split("\n")[0]}`);
  expect(saidOf).toContain("user: Hello");
  expect(saidOf).toContain("assistant: Removed.");
});

it("a message that came before the run began to wait is answered as well", async () => {
  const given = { session_id: (await sync("Hello")).body.session_id };
  const first = sync("Remove x", given);
  const second = sync("Hello", given);
  const messages = (await Promise.all([first, second])).map(({ body }) => body.message);
  expect(messages.filter((message) => message.includes("approval_id"))).not.toEqual([]);
  await server.assistant({ method: "POST", path: `/runs/${await runOf(given.session_id)}/cancel` });
});

const typesOf = (records: readonly Received[]): string[] => records.map(({ event }) => event);

it("AG-UI: a message to a thread that waits gets it as text and custom event, and approve continues", async () => {
  const agent = new HttpAgent({ url: at("/agui"), headers, threadId: randomUUID() });
  const ask = async (content: string): Promise<any[]> => {
    const seen: any[] = [];
    agent.addMessage({ id: randomUUID(), role: "user", content });
    await agent.runAgent({ runId: randomUUID() }, { onEvent: ({ event }) => void seen.push(event) });
    return seen;
  };
  agent.addMessage({ id: randomUUID(), role: "user", content: "Remove x" });
  const first: any[] = [];
  const asked = agent.runAgent({ runId: "waits" }, { onEvent: ({ event }) => void first.push(event) });
  const waits = (): any => first.find(({ name }) => name === "waiting_for_approval");
  await expect.poll(waits).toBeDefined();
  const other = new HttpAgent({ url: at("/agui"), headers, threadId: agent.threadId });
  other.addMessage({ id: randomUUID(), role: "user", content: "Hello" });
  const answered: any[] = [];
  await other.runAgent({ runId: randomUUID() }, { onEvent: ({ event }) => void answered.push(event) });
  expect(answered.at(-1)).toMatchObject({ type: "RUN_FINISHED" });
  const reported = answered.find(({ name }) => name === "waiting_for_approval");
  expect(reported.value.approvals).toEqual(waits().value.approvals);
  other.addMessage({ id: randomUUID(), role: "user", content: "approve" });
  const rest: any[] = [];
  await other.runAgent({ runId: randomUUID() }, { onEvent: ({ event }) => void rest.push(event) });
  expect(rest[0]).toMatchObject({ type: "RUN_STARTED" });
  expect(rest.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: { message: "Removed." } });
  await asked;
  expect(first.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: { message: "Removed." } });
  expect((await ask("Hello")).at(-1)).toMatchObject({ result: { message: "Good morning" } });
});

it("a decision about a call of an agent that an agent has called continues with that agent's step", async () => {
  model.follow([
    { system: "You are the helper", role: "user", turn: { calls: [removal("z")] } },
    { system: "You are the helper", role: "tool", turn: { text: "Helper removed it." } },
    { role: "user", turn: { calls: [{ name: "ask_helper", arguments: { task: "Remove it" } }] } },
    { role: "tool", turn: { text: "All done." } },
  ]);
  const { body } = await sync("Ask the helper");
  const stream = await openStream(at("/v2/task"), {
    body: { message: "approve", session_id: body.session_id },
  });
  const records = await allOf(stream);
  expect(typesOf(records).slice(0, 2)).toEqual(["RUN_STARTED", "STEP_STARTED"]);
  expect(typesOf(records)).toContain("STEP_FINISHED");
  expect(records.at(-1)?.data.result.message).toBe("All done.");
});

it("A2A: a message to a context that waits gets the task that waits, and a text decides", async () => {
  const rpc = async (text: string, ids: object = {}) => {
    const message = { messageId: randomUUID(), role: "user", parts: [{ kind: "text", text }], ...ids };
    const { body } = await call("/a2a", {
      jsonrpc: "2.0",
      id: 1,
      method: "message/send",
      params: { message },
    });
    return body.result;
  };
  const task = await rpc("Remove x");
  expect(task.status.state).toBe("input-required");
  const again = await rpc("Hello", { contextId: task.contextId });
  expect(again).toMatchObject({ id: task.id, status: { state: "input-required" } });
  const done = await rpc("refuse: too risky", { contextId: task.contextId, taskId: task.id });
  expect(done).toMatchObject({ id: task.id, status: { state: "completed" } });
  expect(JSON.stringify(done)).toContain("Then not, it is too risky.");
  const second = await rpc("Remove x", { contextId: task.contextId });
  const listed = await server.assistant({ path: "/approvals" });
  const pending = listed.body.data.find((each: any) => each.run_id === second.id);
  const data = { approval_id: pending.approval_id, approved: true, arguments: { what: "edited" } };
  const message = {
    messageId: randomUUID(),
    role: "user",
    taskId: second.id,
    parts: [{ kind: "data", data }],
  };
  await call("/a2a", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
  expect(removed()).toEqual(["edited"]);
});

it("the UI stream of a task ends with its request too", async () => {
  const records = await allOf(await openStream(at("/v2/task?format=ui"), { body: { message: "Remove x" } }));
  const types = records.map(({ data }) => data.type ?? data);
  expect(types.slice(-4)).toEqual(["tool-approval-request", "finish-step", "finish", "[DONE]"]);
});
