import { afterEach, expect, it } from "vitest";
import type { Turn } from "../../../test/support/scripted-model/script.ts";
import { startModelFixture } from "../../../test/support/model-fixture.ts";
import type { ScriptedModel } from "../../../test/support/scripted-model/server.ts";
import { createChatClient } from "./chat-completions.ts";
import { chatEndpoint } from "./open-answer.ts";
import type { ModelConfig } from "./read-model.ts";
import type { ModelPart } from "./model.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const limits = {
  timeoutMs: 5_000,
  idleMs: 2_000,
  answerBytes: 20_000,
  attempts: 3,
  retryAfterMaxMs: 2_000,
  contextTokens: 1_000,
};

const config = (endpoint: string): ModelConfig => ({
  provider: "openai",
  endpoint,
  apiKey: "sk-canary-0001",
  deployment: "",
  apiVersion: "",
  model: "scripted",
  customHeaders: [["X-Team", "data"]],
});

async function ask(
  turns: Turn[],
  options: { signal?: AbortSignal; onPart?: (part: ModelPart) => void } = {},
): Promise<{ model: ScriptedModel; parts: ModelPart[]; code: string | null; message: string }> {
  const { model, outbound, close } = await startModelFixture(
    (_request, number) => turns[number] ?? turns.at(-1) ?? {},
  );
  cleanups.push(close);
  const client = createChatClient({ outbound, limits, now: () => new Date() }, config(model.url));
  const parts: ModelPart[] = [];
  try {
    const tools = [{ name: "look", description: "Looks.", parameters: { type: "object" } }];
    const messages = [{ role: "user", content: "Hello" }] as const;
    const signal = options.signal ?? new AbortController().signal;
    for await (const arrived of client.stream({ messages, tools }, signal)) {
      parts.push(...arrived);
      for (const part of arrived) options.onPart?.(part);
    }
    return { model, parts, code: null, message: "" };
  } catch (error) {
    const { code = "none", message } = error as { code?: string; message: string };
    return { model, parts, code, message };
  }
}

it("streams text and sends key, headers and tools", async () => {
  const { model, parts } = await ask([{ text: "Good morning" }]);
  expect(parts).toEqual([
    { type: "text", delta: "Good " },
    { type: "text", delta: "morning" },
    { type: "end", finish: "stop", usage: { input: 10, output: 2, cached: 0 } },
  ]);
  const [seen] = model.requests;
  expect(seen?.path).toBe("/v1/chat/completions");
  expect(seen?.headers).toMatchObject({ authorization: "Bearer sk-canary-0001", "x-team": "data" });
  expect(seen?.body).toMatchObject({
    model: "scripted",
    stream: true,
    tools: [{ function: { name: "look" } }],
  });
});

it("puts tool calls together from their pieces", async () => {
  const { parts } = await ask([
    {
      calls: [
        { name: "look", arguments: { at: "a" } },
        { name: "look", arguments: "broken", id: "own" },
      ],
    },
  ]);
  const calls = parts.filter((part) => part.type === "call");
  expect(calls.map(({ id, name }) => [id, name])).toEqual([
    ["call_1_0", "look"],
    ["own", "look"],
  ]);
  const text = (index: number) =>
    parts.flatMap((part) => (part.type === "arguments" && part.index === index ? [part.delta] : [])).join("");
  expect([text(0), text(1)]).toEqual(['{"at":"a"}', "broken"]);
  expect(parts.at(-1)).toMatchObject({ type: "end", finish: "calls" });
});

/** Chunks with these pieces of tool calls, one after the other. */
const chunksOf = (...pieces: object[]): string =>
  pieces
    .map((piece) => JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] }))
    .join("\n\ndata: ");
const look = (given: string) => ({ name: "look", arguments: given });

it.each([
  [
    "calls that all have the index 0",
    chunksOf(
      { index: 0, id: "a", function: look("1") },
      { index: 0, id: "b", function: look("2") },
      { index: 0, function: { arguments: "3" } },
    ),
    [
      ["a", "1"],
      ["b", "23"],
    ],
  ],
  [
    "calls without an index",
    chunksOf({ id: "a", function: look("1") }, { id: "b", function: look("2") }),
    [
      ["a", "1"],
      ["b", "2"],
    ],
  ],
  [
    "a name and an id that each piece repeats",
    chunksOf(
      { index: 0, id: "a", function: look("1") },
      { index: 1, id: "b", function: look("2") },
      { index: 0, id: "a", function: look("3") },
      { index: 1, id: "b", function: look("4") },
    ),
    [
      ["a", "13"],
      ["b", "24"],
    ],
  ],
  [
    "the same of calls that all have the index 0",
    chunksOf(
      { index: 0, id: "a", function: look("1") },
      { index: 0, id: "b", function: look("2") },
      { index: 0, id: "a", function: look("3") },
    ),
    [
      ["a", "13"],
      ["b", "2"],
    ],
  ],
])("tells %s apart", async (_, raw, wanted) => {
  const { parts } = await ask([{ raw }]);
  const calls = parts.filter((part) => part.type === "call");
  const text = (index: number) =>
    parts.flatMap((part) => (part.type === "arguments" && part.index === index ? [part.delta] : [])).join("");
  expect(calls.map(({ id, index }) => [id, text(index)])).toEqual(wanted);
});

it.each<[ModelConfig["provider"], string, string]>([
  ["openai", "", "max_completion_tokens"],
  ["azure_openai", "", "max_completion_tokens"],
  ["azure_openai", "2024-12-01-preview", "max_completion_tokens"],
  ["azure_openai", "2024-08-01-preview", "max_tokens"],
  ["openai-compatible", "", "max_tokens"],
])("limits the answer of %s %s by %s", async (provider, apiVersion, field) => {
  const { model, outbound, close } = await startModelFixture([{ turn: { text: "Good" } }]);
  cleanups.push(close);
  const given = { ...config(model.url), provider, apiVersion };
  const client = createChatClient({ outbound, limits, now: () => new Date() }, given);
  const asked = { messages: [{ role: "user", content: "Hello" }], tools: [], maxTokens: 7 } as const;
  for await (const _ of client.stream(asked, new AbortController().signal)) void _;
  const limited = Object.entries(model.requests[0]!.body).filter(([name]) => name.startsWith("max_"));
  expect(limited).toEqual([[field, 7]]);
});

const context = { error: { code: "context_length_exceeded", message: "maximum context length is 8" } };
const filter = { error: { code: "content_filter", message: "content management policy" } };

it.each<[string, Turn[], string, number]>([
  ["refused credentials", [{ status: 401 }], "model_auth", 1],
  ["a rate limit that stays", [{ status: 429, retryAfter: "0" }], "model_rate_limited", 3],
  ["a rate limit with too long a wait", [{ status: 429, retryAfter: "60" }], "model_rate_limited", 1],
  ["errors of the server", [{ status: 500, retryAfter: "0" }], "model_unavailable", 3],
  ["a path that there is not", [{ status: 404 }], "model_unavailable", 1],
  ["too long a context", [{ status: 400, error: context }], "context_too_long", 1],
  ["a filtered prompt", [{ status: 400, error: filter }], "content_filtered", 1],
  ["a filtered answer", [{ text: "I", finish: "content_filter" }], "content_filtered", 1],
  ["a cut", [{ text: "one two three", cutAfter: 2 }], "model_unavailable", 1],
  ["broken JSON", [{ text: "one", raw: "{oops" }], "model_unavailable", 1],
  ["an answer without end", [{ text: "on", endless: true }], "model_unavailable", 1],
])("tells %s by its code", async (_, turns, code, calls) => {
  const answer = await ask(turns);
  expect([answer.code, answer.model.requests.length]).toEqual([code, calls]);
  expect(answer.message).not.toContain("canary");
});

it("waits as long as the provider asks and then goes on", async () => {
  const { code, parts, model } = await ask([
    { status: 429, retryAfter: "1" },
    { status: 503, retryAfter: "0" },
    { text: "There" },
  ]);
  expect([code, parts[0], model.requests.length]).toEqual([null, { type: "text", delta: "There" }, 3]);
});

it("never repeats the key that a provider echoes", async () => {
  const error = { error: { message: "Bad model for key sk-canary-0001" } };
  const { message } = await ask([{ status: 422, error }]);
  expect(message).toBe("The model answered with status 422. It said: Bad model for key ***");
});

it("keeps what it held back when the answer is cut off", async () => {
  const { parts, code } = await ask([{ tokens: ["It is ", "sk-can", "x"], tokenMs: 20, cutAfter: 2 }]);
  expect([code, parts]).toEqual([
    "model_unavailable",
    [
      { type: "text", delta: "It is " },
      { type: "text", delta: "sk-can" },
    ],
  ]);
});

it("hangs up when it is cancelled", async () => {
  const stop = new AbortController();
  const { model, code } = await ask([{ text: "on", endless: true }], {
    signal: stop.signal,
    onPart: () => stop.abort(),
  });
  expect(code).toBe("none");
  await expect.poll(() => model.requests[0]?.isCut).toBe(true);
});

it("says that an endpoint is missing", () => {
  const given = { ...config(""), provider: "openai-compatible" } as const;
  expect(() => chatEndpoint(given)).toThrow("no endpoint, which openai-compatible needs");
});

it.each<[Partial<ModelConfig>, string, string]>([
  [{ provider: "openai", endpoint: "" }, "https://api.openai.com/v1/chat/completions", "m"],
  [{ endpoint: "http://h/v1/" }, "http://h/v1/chat/completions", "m"],
  [
    { provider: "azure_openai", endpoint: "https://h/", deployment: "d" },
    "https://h/openai/v1/chat/completions",
    "d",
  ],
  [
    { provider: "azure_openai", endpoint: "https://h/openai/v1", deployment: "d", apiVersion: "v1" },
    "https://h/openai/v1/chat/completions",
    "d",
  ],
  [
    { provider: "azure_openai", endpoint: "https://h", deployment: "d d", apiVersion: "2024-10-21" },
    "https://h/openai/deployments/d%20d/chat/completions?api-version=2024-10-21",
    "m",
  ],
])("knows where %j is called", (change, url, model) => {
  const endpoint = chatEndpoint({ ...config("http://x"), model: "m", ...change });
  expect([endpoint.url, endpoint.model]).toEqual([url, model]);
});
