/** The same runs through the interfaces of other clients, byte for byte as those send and expect it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import { send, type Answer, type WholeServer } from "../../support/server.ts";
import { testTools } from "./agents.ts";
import { allOf, openStream } from "./stream.ts";
import { startModelServer } from "../model-server.ts";

let server: WholeServer;
let model: ScriptedModel;

beforeAll(async () => {
  const script = [{ turn: { text: "Good morning" } }];
  ({ server, model } = await startModelServer(script, { tools: testTools() }));
});
afterAll(() => server.close());

const call = (path: string, body?: unknown): Promise<Answer> =>
  send(`${server.url}/api/assistant`, { method: body === undefined ? "GET" : "POST", path, body });

const streamOf = async (path: string, body: unknown) =>
  allOf(await openStream(`${server.url}/api/assistant${path}`, { body }));

/** Without those that are as the one before: into how many pieces a text is cut is a matter of time. */
const eachOnce = (names: string[]): string[] => names.filter((name, index) => name !== names[index - 1]);

it("lists agents as models", async () => {
  const { body } = await call("/v1/models");
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(["main", "helper"]);
});

it("answers Chat Completions, whole and streamed", async () => {
  const messages = [
    { role: "system", content: "Be short." },
    { role: "user", content: [{ type: "text", text: "Hello" }] },
  ];
  const whole = await call("/v1/chat/completions", { model: "main", messages });
  expect(whole.body).toMatchObject({
    object: "chat.completion",
    model: "main",
    choices: [{ index: 0, message: { role: "assistant", content: "Good morning" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
  });
  const records = await streamOf("/v1/chat/completions", { model: "main", messages, stream: true });
  expect(records.pop()?.data).toBe("[DONE]");
  // As clients read it, who take the first choice of each chunk.
  expect(records.map(({ data }) => data.choices.length)).toEqual(records.map(() => 1));
  const counted = { model: "main", messages, stream: true, stream_options: { include_usage: true } };
  const withUsage = await streamOf("/v1/chat/completions", counted);
  expect(withUsage.at(-2)?.data).toMatchObject({ choices: [], usage: { total_tokens: 12 } });
  const text = records.map(({ data }) => data.choices?.[0]?.delta?.content ?? "").join("");
  expect(text).toBe("Good morning");
});

it("answers Responses, and goes on after one", async () => {
  const first = await call("/v1/responses", { model: "main", input: "Hello" });
  expect(first.body).toMatchObject({ object: "response", status: "completed", output_text: "Good morning" });
  const records = await streamOf("/v1/responses", {
    model: "main",
    input: [{ role: "user", content: [{ type: "input_text", text: "Again" }] }],
    previous_response_id: first.body.id,
    stream: true,
  });
  expect(eachOnce(records.map(({ event }) => event))).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(records.map(({ data }) => data.sequence_number)).toEqual(records.map((_, index) => index));
  const sent = model.requests
    .at(-1)
    ?.body.messages.map(({ content }) => content)
    .slice(1);
  expect(sent).toEqual(["Hello", "Good morning", "Again"]);
});

it("runs as an AG-UI agent whose thread keeps its session", async () => {
  const input = (runId: string, content: string) => ({
    threadId: "thread-1",
    runId,
    state: {},
    tools: [],
    context: [],
    forwardedProps: {},
    messages: [{ id: "m", role: "user", content }],
  });
  const first = await streamOf("/agui", input("agui-1", "Hello"));
  const second = await streamOf("/agui", input("agui-2", "Again"));
  expect(first.at(-1)?.event).toBe("RUN_FINISHED");
  expect(second[0]?.data.threadId).toBe(first[0]?.data.threadId);
});

it("streams for AI SDK UI", async () => {
  const records = await streamOf("/v2/task?format=ui", { message: "Hello" });
  expect(eachOnce(records.map(({ data }) => data.type ?? data))).toEqual([
    "start",
    "start-step",
    "text-start",
    "text-delta",
    "text-end",
    "data-title",
    "finish-step",
    "finish",
    "[DONE]",
  ]);
});

it.each([
  ["/v1/chat/completions", { model: "none", messages: [{ role: "user", content: "x" }] }, 404],
  ["/v1/chat/completions", { model: "main", messages: [{ role: "assistant", content: "x" }] }, 400],
  ["/v1/responses", { model: "main", input: "x".repeat(10_001) }, 400],
  ["/v1/responses", { model: "main", input: "x", previous_response_id: "resp_none" }, 400],
  ["/agui", { threadId: "t", runId: "r", messages: [] }, 422],
])("%s refuses %j with %s", async (path, body, status) => {
  expect((await call(path, body)).status).toBe(status);
});
