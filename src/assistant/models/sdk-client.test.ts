/** Anthropic, Google and Bedrock in their own protocols, spoken by the scripted model. */
import { afterEach, describe, expect, it } from "vitest";
import type { Turn } from "../../../test/support/scripted-model/script.ts";
import { startModelFixture } from "../../../test/support/model-fixture.ts";
import type { ScriptedModel } from "../../../test/support/scripted-model/server.ts";
import type { ModelMessage, ModelPart } from "./model.ts";
import { createModelClient } from "./sdk-client.ts";

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

interface Asking {
  messages?: readonly ModelMessage[];
  signal?: AbortSignal;
  onPart?: (part: ModelPart) => void;
}

interface Answered {
  model: ScriptedModel;
  parts: ModelPart[];
  code: string | null;
  message: string;
}

const providers = {
  anthropic: { key: "x-api-key", value: "sk-canary-0001", path: "/v1/messages" },
  google: {
    key: "x-goog-api-key",
    value: "sk-canary-0001",
    path: "/v1/models/scripted:streamGenerateContent?alt=sse",
  },
  bedrock: {
    key: "authorization",
    value: "Bearer sk-canary-0001",
    path: "/v1/model/scripted/converse-stream",
  },
} as const;

async function ask(
  provider: keyof typeof providers,
  turns: Turn[],
  { messages = [{ role: "user", content: "Hello" }], signal, onPart }: Asking = {},
): Promise<Answered> {
  const { model, outbound, close } = await startModelFixture(
    (_request, number) => turns[number] ?? turns.at(-1) ?? {},
  );
  cleanups.push(close);
  const client = createModelClient(
    { outbound, limits, now: () => new Date() },
    {
      provider,
      endpoint: model.url,
      apiKey: "sk-canary-0001",
      deployment: "",
      apiVersion: "",
      model: "scripted",
      customHeaders: [["X-Team", "data"]],
    },
  );
  const parts: ModelPart[] = [];
  try {
    const tools = [{ name: "look", description: "Looks.", parameters: { type: "object" } }];
    for await (const arrived of client.stream({ messages, tools }, signal ?? new AbortController().signal)) {
      parts.push(...arrived);
      for (const part of arrived) onPart?.(part);
    }
    return { model, parts, code: null, message: "" };
  } catch (error) {
    const { code = "none", message } = error as { code?: string; message: string };
    return { model, parts, code, message };
  }
}

describe.each(["anthropic", "google", "bedrock"] as const)("%s", (provider) => {
  it("streams text, counts tokens, and sends key and headers", async () => {
    const { model, parts, message } = await ask(provider, [{ text: "Good morning" }]);
    expect(message).toBe("");
    expect(parts).toEqual([
      { type: "text", delta: "Good " },
      { type: "text", delta: "morning" },
      { type: "end", finish: "stop", usage: { input: 14, output: 2, cached: 4 } },
    ]);
    const { key, value, path } = providers[provider];
    const [seen] = model.requests;
    expect(seen?.path).toBe(path);
    expect(seen?.headers).toMatchObject({ [key]: value, "x-team": "data" });
    expect(JSON.stringify(seen?.raw)).toContain('"look"');
  });

  it("calls tools and takes their results back", async () => {
    const turns = [
      { text: "I look.", calls: [{ name: "look", arguments: { at: "sea" } }] },
      { text: "Blue." },
    ];
    const first = await ask(provider, turns);
    const call = first.parts.find((part) => part.type === "call")!;
    expect(call.name).toBe("look");
    const given = first.parts.flatMap((part) => (part.type === "arguments" ? [part.delta] : [])).join("");
    expect(JSON.parse(given)).toEqual({ at: "sea" });
    expect(first.parts.at(-1)).toMatchObject({ type: "end", finish: "calls" });
    const { model, message } = await ask(provider, turns.slice(1), {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hello" },
        {
          role: "assistant",
          content: "",
          calls: [
            { id: "c1", name: "look", arguments: given, ...(call.meta ? { meta: call.meta } : {}) },
            { id: "c2", name: "look", arguments: "broken" },
          ],
        },
        { role: "tool", callId: "c1", content: "result one" },
        { role: "tool", callId: "c2", content: "result two" },
      ],
    });
    expect(message).toBe("");
    const seen = model.requests[0]?.body.messages ?? [];
    expect(seen.map(({ role }) => role.replace("model", "assistant"))).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
    ]);
    expect(seen[0]?.content).toBe("Be brief.");
    expect(seen[3]?.content).toMatch(/result one.*result two/);
    if (provider === "google") expect(JSON.stringify(model.requests[0]?.raw)).toContain('"signed"');
  });

  it.each<[string, Turn[], string, number]>([
    ["refused credentials", [{ status: 401 }], "model_auth", 1],
    ["a rate limit that stays", [{ status: 429, retryAfter: "0" }], "model_rate_limited", 3],
    ["a rate limit with too long a wait", [{ status: 429, retryAfter: "60" }], "model_rate_limited", 1],
    ["errors of the server", [{ status: 500, retryAfter: "0" }], "model_unavailable", 3],
    ["a cut", [{ text: "one two three", cutAfter: 2, tokenMs: 20 }], "model_unavailable", 1],
  ])("tells %s by its code", async (_, turns, code, calls) => {
    const answer = await ask(provider, turns);
    expect([answer.code, answer.model.requests.length]).toEqual([code, calls]);
    expect(answer.message).not.toContain("canary");
  });

  it("hides its key where the answer repeats it", async () => {
    const { parts } = await ask(provider, [{ tokens: ["It is ", "sk-can", "ary-0001", "."] }]);
    const text = parts.flatMap((part) => (part.type === "text" ? [part.delta] : [])).join("");
    expect(text).toBe("It is ***.");
  });

  it("hangs up when it is cancelled", async () => {
    const stop = new AbortController();
    const turn = { tokens: Array.from({ length: 200 }, () => "on "), tokenMs: 20 };
    const { model } = await ask(provider, [turn], { signal: stop.signal, onPart: () => stop.abort() });
    await expect.poll(() => model.requests[0]?.isCut).toBe(true);
  });
});

it("tells a filtered answer", async () => {
  expect((await ask("google", [{ text: "I", finish: "SAFETY" }])).code).toBe("content_filtered");
});
