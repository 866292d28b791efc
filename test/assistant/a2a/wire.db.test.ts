/** The bytes of A2A, which its clients don't show. */
import { expect, it } from "vitest";
import { tokenOf, type TestRole } from "../../support/server.ts";
import { allOf, openStream, readUntil } from "../runs/stream.ts";
import { many, root, useFixture, type Version } from "./fixture.ts";

const fixture = useFixture();

interface Rpc {
  version?: string;
  as?: TestRole;
  path?: string;
  id?: unknown;
}

/** One call as it goes over the wire. */
async function rpc(
  method: string,
  params: unknown,
  { version = "1.0", as = "admin", path = root, id = 1 }: Rpc = {},
) {
  const response = await fetch(fixture.server.url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${tokenOf(as)}`,
      ...(version === "" ? {} : { "a2a-version": version }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  });
  return { status: response.status, body: (await response.json()) as any };
}

let sent = 0;

const plain = (text: string, more: object = {}) => ({
  message: { messageId: `w-${(sent += 1)}`, role: "ROLE_USER", parts: [{ text }], ...more },
});

const stream = async (version: Version, method: string, message: object) =>
  allOf(
    await openStream(fixture.server.url + root, {
      body: { jsonrpc: "2.0", id: "a", method, params: { message } },
      headers: version === "1.0" ? { "a2a-version": "1.0" } : {},
    }),
  );

it("says 1.0 in its words", async () => {
  const message = { messageId: "wire-1", role: "ROLE_USER", parts: [{ text: "Hello" }] };
  const records = await stream("1.0", "SendStreamingMessage", message);
  expect(records.every(({ data }) => data.jsonrpc === "2.0" && data.id === "a")).toBe(true);
  const results = records.map(({ data }) => data.result);
  const { id, contextId } = results[0].task;
  const place = { taskId: id, contextId };
  expect(results[0]).toEqual({
    task: {
      id,
      contextId,
      status: { state: "TASK_STATE_SUBMITTED" },
      history: [{ messageId: "wire-1", ...place, role: "ROLE_USER", parts: [{ text: "Hello" }] }],
    },
  });
  expect(results[1]).toEqual({ statusUpdate: { ...place, status: { state: "TASK_STATE_WORKING" } } });
  const artifact = (text: string) => ({ artifactId: "answer", name: "answer", parts: [{ text }] });
  expect(results[2]).toEqual({
    artifactUpdate: { ...place, artifact: artifact(expect.stringMatching(/^Good /)), append: false },
  });
  expect(results.at(-1)).toEqual({ statusUpdate: { ...place, status: { state: "TASK_STATE_COMPLETED" } } });
  const got = await rpc("GetTask", { id, historyLength: 0 });
  expect(got.body).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: {
      id,
      contextId,
      status: { state: "TASK_STATE_COMPLETED", timestamp: expect.stringMatching(/^\d{4}-.*Z$/) },
      artifacts: [artifact("Good morning\n\u2028 ✓")],
    },
  });
  const again = await rpc("SendMessage", { message });
  expect(Object.keys(again.body.result)).toEqual(["task"]);
});

it("says 0.3 in its words", async () => {
  const message = {
    kind: "message",
    messageId: "wire-2",
    role: "user",
    parts: [{ kind: "text", text: "Hello" }],
  };
  const records = await stream("0.3", "message/stream", message);
  const results = records.map(({ data }) => data.result);
  const { id, contextId } = results[0];
  const place = { taskId: id, contextId };
  expect(results[0]).toEqual({
    kind: "task",
    id,
    contextId,
    status: { state: "submitted" },
    history: [{ ...message, ...place }],
  });
  expect(results[1]).toEqual({
    kind: "status-update",
    ...place,
    status: { state: "working" },
    final: false,
  });
  expect(results.at(-1)).toEqual({
    kind: "status-update",
    ...place,
    status: { state: "completed" },
    final: true,
  });
  const got = await rpc("tasks/get", { id }, { version: "" });
  expect(got.body.result).toMatchObject({
    kind: "task",
    artifacts: [{ artifactId: "answer", parts: [{ kind: "text", text: "Good morning\n\u2028 ✓" }] }],
  });
});

it("ends a stream of 0.3 where the user has to decide", async () => {
  const message = { messageId: "wire-3", role: "user", parts: [{ kind: "text", text: "remove it" }] };
  const records = await stream("0.3", "message/stream", message);
  const last = records.at(-1)?.data.result;
  expect(last).toMatchObject({ kind: "status-update", final: true, status: { state: "input-required" } });
  expect(last.status.message.parts[1]).toMatchObject({ kind: "data", data: { tool: "remove" } });
  await rpc("tasks/cancel", { id: last.taskId }, { version: "0.3" });
});

it("gives data parts to the model as data", async () => {
  const { message } = plain("Hello");
  message.parts.push({ data: { deck: 3 } } as never);
  await rpc("SendMessage", { message });
  const said = fixture.model.requests.at(-1)?.body.messages.at(-1)?.content;
  expect(said).toMatch(/^Hello\n\n<data-\w+ source="the page that the user looks at">\n\{"deck":3\}/);
});

const task = "00000000-0000-4000-8000-000000000000";
it.each<[string, string, unknown, Rpc, number, string]>([
  ["an unknown method", "Fly", {}, {}, -32601, "SendMessage"],
  ["a method of the other generation", "message/send", {}, {}, -32601, "There is no method"],
  ["a method that every object has", "constructor", {}, {}, -32601, "There is no method"],
  ["1.0 without its header", "SendMessage", plain("x"), { version: "" }, -32601, "message/send"],
  ["an unknown version", "SendMessage", plain("x"), { version: "2.0" }, -32009, "1.0 or 0.3"],
  ["no parameters", "GetTask", undefined, {}, -32602, "id is required"],
  ["an unknown task", "GetTask", { id: task }, {}, -32001, "no such task"],
  ["a task by another id", "CancelTask", { id: "zebra" }, {}, -32001, "no such task"],
  ["an unknown task to go on with", "SendMessage", plain("x", { taskId: task }), {}, -32001, "no such task"],
  ["no text", "SendMessage", plain(""), {}, -32602, "message.parts must have a part with a text"],
  ["10,001 characters", "SendMessage", plain("x".repeat(10_001)), {}, -32602, "at most 10000"],
  ["a file", "SendMessage", plain("x", { parts: [{ text: "x" }, { url: "http://x" }] }), {}, -32005, "files"],
  [
    "a file, 0.3",
    "message/send",
    { message: { messageId: "f", role: "user", parts: [{ kind: "file", file: {} }] } },
    { version: "0.3" },
    -32005,
    "files",
  ],
  ["the agent's role", "SendMessage", plain("x", { role: "ROLE_AGENT" }), {}, -32602, "message.role must be"],
  ["an unknown context", "SendMessage", plain("x", { contextId: "zebra" }), {}, -32602, "message.contextId"],
  ["push notifications", "CreateTaskPushNotificationConfig", {}, {}, -32003, "subscribe"],
  [
    "push notifications, 0.3",
    "tasks/pushNotificationConfig/set",
    {},
    { version: "0.3" },
    -32003,
    "subscribe",
  ],
  [
    "push within a message",
    "SendMessage",
    { ...plain("x"), configuration: { taskPushNotificationConfig: { url: "http://x" } } },
    {},
    -32003,
    "subscribe",
  ],
  ["an extended card", "GetExtendedAgentCard", {}, {}, -32004, "extended card"],
  [
    "an extended card, 0.3",
    "agent/getAuthenticatedExtendedCard",
    undefined,
    { version: "0.3" },
    -32007,
    "extended card",
  ],
  ["a page of another list", "ListTasks", { pageToken: "abc" }, {}, -32602, "pageToken"],
  [
    "a time that is none",
    "ListTasks",
    { statusTimestampAfter: "2026-02-31T99:00:00Z" },
    {},
    -32602,
    "statusTimestampAfter",
  ],
])("refuses %s in the words of the protocol", async (_, ...[method, params, how, code, words]) => {
  const { status, body } = await rpc(method, params, { ...how, id: "x" });
  expect(status).toBe(200);
  expect(body).toMatchObject({ jsonrpc: "2.0", id: "x", error: { code } });
  expect(body.error.message).toContain(words);
  expect(body.error.data.every((detail: any) => typeof detail["@type"] === "string")).toBe(true);
});

it("names all that is wrong with the parameters at once", async () => {
  const { body } = await rpc("SendMessage", {
    message: { role: "x", parts: [] },
    configuration: { historyLength: -1 },
  });
  expect(body.error.code).toBe(-32602);
  expect(body.error.data[0].fieldViolations.map(({ field }: any) => field).sort()).toEqual([
    "configuration.historyLength",
    "message.messageId",
    "message.parts",
    "message.role",
  ]);
});

it("refuses another message under the id of one", async () => {
  const { message } = plain("Hello");
  await rpc("SendMessage", { message });
  const { body } = await rpc("SendMessage", { message: { ...message, parts: [{ text: "Bye" }] } });
  expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining("message.messageId") });
});

it.each([
  ["{", -32700],
  ["", -32700],
  ["[]", -32600],
  ['{"jsonrpc":"1.0","method":"GetTask","id":1}', -32600],
  ['{"jsonrpc":"2.0","id":{},"method":""}', -32600],
])("answers 422 with an error of JSON-RPC to %j", async (text, code) => {
  const response = await fetch(fixture.server.url + root, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${tokenOf("admin")}` },
    body: text,
  });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
});

it("answers as everywhere to who may not, and of agents that are none", async () => {
  const post = (path: string, headers: object, body = "{}") =>
    fetch(fixture.server.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
  const admin = { authorization: `Bearer ${tokenOf("admin")}` };
  expect((await post(root, {})).status).toBe(401);
  const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: plain("x") });
  const unknown = await post(`${root}/agents/off`, admin, request);
  expect([unknown.status, ((await unknown.json()) as any).code]).toEqual([404, "ASSISTANT_UNKNOWN_AGENT"]);
});

it("tells a second reader of the same message everything from its beginning", async () => {
  const message = { messageId: "late", role: "ROLE_USER", parts: [{ text: "long" }] };
  const body = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: { message } };
  const headers = { "a2a-version": "1.0" };
  const first = await openStream(fixture.server.url + root, { body, headers });
  await readUntil(first, ({ data }) => data.result.artifactUpdate?.append === true);
  const second = await openStream(fixture.server.url + root, { body, headers });
  const texts = (records: { data: any }[]): string =>
    records.map(({ data }) => data.result.artifactUpdate?.artifact.parts[0].text ?? "").join("");
  expect(texts(await allOf(second))).toBe(many.join(""));
  await allOf(first);
});
