/** Clients that others have written, unchanged, against the interfaces that are mounted for them. */
import { randomUUID } from "node:crypto";
import { HttpAgent, type BaseEvent } from "@ag-ui/client";
import { AbstractChat, DefaultChatTransport, type ChatState, type UIMessage } from "ai";
import OpenAI, { APIError } from "openai";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import { tokenOf, type WholeServer } from "../../support/server.ts";
import { testTools } from "./agents.ts";
import { startModelServer } from "../model-server.ts";

let server: WholeServer;
let model: ScriptedModel;

beforeAll(async () => {
  ({ server, model } = await startModelServer([], { tools: testTools() }));
});
afterAll(() => server.close());
beforeEach(() => {
  model.follow([
    {
      role: "user",
      last: "look",
      turn: { text: "I look.", calls: [{ name: "unit__look", arguments: { at: "sea" } }] },
    },
    { role: "user", last: "remove", turn: { calls: [{ name: "unit__remove", arguments: {} }] } },
    {
      role: "user",
      last: "helper",
      turn: { calls: [{ name: "ask_helper", arguments: { task: "Say aye." } }] },
    },
    { role: "user", last: "break", turn: { text: "Half an answer", cutAfter: 2, tokenMs: 50 } },
    { role: "tool", turn: { text: "It is blue." } },
    { turn: { text: "Good morning" } },
  ]);
});

const headers = { authorization: `Bearer ${tokenOf("admin")}` };
const at = (path: string): string => `${server.url}/api/assistant${path}`;

const openai = (): OpenAI => new OpenAI({ baseURL: at("/v1"), apiKey: tokenOf("admin"), maxRetries: 0 });

it("openai lists the models", async () => {
  const ids: string[] = [];
  for await (const { id } of openai().models.list()) ids.push(id);
  expect(ids).toEqual(["main", "helper"]);
});

it("openai completes chats, whole, streamed and by its own accumulator", async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Please look" }];
  const whole = await openai().chat.completions.create({ model: "main", messages });
  expect(whole.choices[0]?.message.content).toBe("It is blue.");
  expect(whole.usage?.total_tokens).toBeGreaterThan(0);
  const request = { model: "main", messages, stream: true as const };
  let text = "";
  for await (const chunk of await openai().chat.completions.create(request)) {
    text += chunk.choices[0]!.delta.content ?? "";
  }
  expect(text).toBe("I look.\n\nIt is blue.");
  const counted = { model: "main", messages, stream_options: { include_usage: true } };
  const runner = openai().chat.completions.stream(counted);
  expect(await runner.finalContent()).toBe("I look.\n\nIt is blue.");
  expect((await runner.totalUsage()).completion_tokens).toBeGreaterThan(0);
});

it("openai gets responses, whole and streamed, one after the other", async () => {
  const first = await openai().responses.create({ model: "main", input: "Hello" });
  expect(first.output_text).toBe("Good morning");
  const stream = openai().responses.stream({
    model: "main",
    input: [{ role: "user", content: "Please look" }],
    previous_response_id: first.id,
  });
  const final = await stream.finalResponse();
  expect(final.output_text).toBe("I look.\n\nIt is blue.");
  expect(final.status).toBe("completed");
  const said = model.requests.at(-1)?.body.messages.map(({ content }) => content);
  expect(said).toContain("Good morning");
});

it("openai learns of refusals and of answers that break off", async () => {
  const unknown = await openai()
    .chat.completions.create({ model: "nobody", messages: [{ role: "user", content: "x" }] })
    .catch((error: unknown) => error);
  expect(unknown).toBeInstanceOf(APIError);
  expect((unknown as APIError).status).toBe(404);
  const broken = openai().chat.completions.stream({
    model: "main",
    messages: [{ role: "user", content: "break" }],
  });
  await expect(broken.finalContent()).rejects.toThrow("broke before the answer was complete");
});

class Chat extends AbstractChat<UIMessage> {}

function newChat(id: string): Chat {
  const state: ChatState<UIMessage> = {
    status: "ready",
    error: undefined,
    messages: [],
    pushMessage: (message) => void state.messages.push(message),
    popMessage: () => void state.messages.pop(),
    replaceMessage: (index, message) => void (state.messages[index] = message),
    snapshot: (thing) => structuredClone(thing),
  };
  return new Chat({ id, state, transport: new DefaultChatTransport({ api: at("/chat"), headers }) });
}

const textsOf = ({ messages }: Chat): string[] =>
  messages.map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")).join("|"));

it("useChat's core chats, shows tool calls and keeps its conversation", async () => {
  const chat = newChat("chat-1");
  await chat.sendMessage({ text: "Hello" });
  await chat.sendMessage({ text: "Please look" });
  expect(chat.error).toBeUndefined();
  expect(textsOf(chat)[1]).toMatch(/Good morning/);
  const parts = chat.messages.at(-1)?.parts ?? [];
  expect(parts.find(({ type }) => type === "dynamic-tool")).toMatchObject({
    toolName: "unit__look",
    state: "output-available",
    input: { at: "sea" },
  });
  expect(textsOf(chat).at(-1)).toMatch(/I look\..*It is blue\./);
  const said = model.requests.at(-1)?.body.messages.map(({ content }) => content);
  expect(said).toContain("Good morning");
});

it("useChat's core learns of an answer that breaks off, and has what was written", async () => {
  const chat = newChat("chat-2");
  await chat.sendMessage({ text: "break" });
  expect(chat.error?.message).toMatch("broke before the answer was complete");
  expect(textsOf(chat).at(-1)).toMatch("Half an");
});

it("useChat's core follows an answer in a second window", async () => {
  const id = randomUUID();
  const nothing = newChat(id);
  await nothing.resumeStream();
  expect(nothing.messages).toEqual([]);
  const first = newChat(id);
  await first.sendMessage({ text: "remove it" });
  const second = newChat(id);
  await second.resumeStream();
  const asked = second.messages.at(-1)?.parts.find(({ type }) => type === "dynamic-tool");
  expect(asked).toMatchObject({ state: "approval-requested" });
  const { id: approvalId } = (asked as any).approval;
  const path = `/runs/${second.messages.at(-1)?.id}/approvals/${approvalId}`;
  const answer = await server.assistant({ method: "POST", path, body: { approved: true } });
  expect(answer.status).toBe(200);
  const third = newChat(id);
  await third.resumeStream();
  expect(third.error).toBeUndefined();
  if (third.messages.length > 0) expect(textsOf(third).at(-1)).toMatch("It is blue.");
});

it("an AG-UI client's verifier takes every event, with tools, agents within agents and approvals", async () => {
  const agent = new HttpAgent({ url: at("/agui"), headers, threadId: "thread-9" });
  const seen: BaseEvent[] = [];
  const subscriber = {
    onEvent: ({ event }: { event: BaseEvent }): void => void seen.push(event),
    async onCustomEvent({ event }: { event: { name: string; value: any } }) {
      if (event.name !== "approval_required") return;
      const { runId } = seen[0] as BaseEvent & { runId: string };
      const path = `/runs/${runId}/approvals/${event.value.approval_id}`;
      await server.assistant({ method: "POST", path, body: { approved: true } });
    },
  };
  for (const [n, content] of ["Hello", "Please look", "Ask the helper", "remove it"].entries()) {
    seen.length = 0;
    agent.addMessage({ id: `m${n}`, role: "user", content });
    await agent.runAgent({ runId: `agui-${n}` }, subscriber);
    expect(seen.at(-1)?.type).toBe("RUN_FINISHED");
  }
  // Ids of other runs of the thread stay apart.
  const callIds = agent.messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [],
  );
  expect(new Set(callIds).size).toBe(3);
  const roles = agent.messages.map(({ role }) => role);
  expect(roles.filter((role) => role === "user")).toHaveLength(4);
  expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "It is blue." });
  expect(agent.messages.filter(({ role }) => role === "tool")).toHaveLength(3);
});

it("an AG-UI client learns of an answer that breaks off", async () => {
  const agent = new HttpAgent({ url: at("/agui"), headers, threadId: "thread-10" });
  agent.addMessage({ id: "m", role: "user", content: "break" });
  const errors: string[] = [];
  await agent
    .runAgent(
      { runId: "agui-broken" },
      { onRunErrorEvent: ({ event }) => void errors.push(event.code ?? "") },
    )
    .catch(() => {});
  expect(errors).toEqual(["model_unavailable"]);
});
