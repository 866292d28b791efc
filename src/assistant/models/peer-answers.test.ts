/** Answers and refusals in the forms that model servers are known for, each sent by an HTTP server. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startHttpPeer, type HttpPeer } from "../../../test/support/http-peer.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import { createOutbound, type Outbound } from "../../platform/outbound/outbound.ts";
import type { ModelPart } from "./model.ts";
import { createModelClient } from "./sdk-client.ts";

let peer: HttpPeer;
let outbound: Outbound;
let next: { status: number; type: string; body: string };
let requests = 0;

beforeAll(async () => {
  peer = await startHttpPeer((request, response) => {
    requests += 1;
    request.resume();
    response.writeHead(next.status, { "content-type": next.type, "retry-after": "0" }).end(next.body);
  });
  const policy = {
    allowedSchemes: ["http"],
    blockedHosts: [],
    allowPrivateNetworks: true,
    maxResponseBytes: 1_000_000,
    timeoutMs: 5_000,
  };
  outbound = createOutbound(policy, silentLogger);
});
afterAll(async () => {
  await outbound.close();
  await peer.close();
});

const limits = {
  timeoutMs: 5_000,
  idleMs: 2_000,
  answerBytes: 200_000,
  attempts: 2,
  retryAfterMaxMs: 2_000,
  contextTokens: 1_000,
};

interface Read {
  text: string;
  thoughts: string;
  calls: [id: string, name: string, given: string][];
  meta: object[];
  finish: string | null;
  code: string | null;
  message: string;
}

async function read(provider: "openai-compatible" | "anthropic" = "openai-compatible"): Promise<Read> {
  requests = 0;
  const config = {
    provider,
    endpoint: `${peer.url}/v1`,
    apiKey: "sk-canary-0001",
    deployment: "",
    apiVersion: "",
    model: "m",
    customHeaders: [],
  } as const;
  const client = createModelClient(
    { outbound, limits, now: () => new Date() },
    { ...config, customHeaders: [] },
  );
  const parts: ModelPart[] = [];
  let failed: { code: string | null; message: string } = { code: null, message: "" };
  try {
    const asked = { messages: [{ role: "user", content: "Hello" }], tools: [] } as const;
    for await (const arrived of client.stream(asked, new AbortController().signal)) parts.push(...arrived);
  } catch (error) {
    failed = error as typeof failed;
  }
  const joined = (fits: (part: ModelPart) => boolean): string =>
    parts.flatMap((part) => (fits(part) && "delta" in part ? [part.delta] : [])).join("");
  const calls = parts.filter((part) => part.type === "call");
  const end = parts.at(-1);
  return {
    text: joined(({ type }) => type === "text"),
    thoughts: joined(({ type }) => type === "thoughts"),
    calls: calls.map(({ id, name, index }) => [
      id,
      name,
      joined((part) => part.type === "arguments" && part.index === index),
    ]),
    meta: calls.flatMap(({ meta }) => meta ?? []),
    finish: end?.type === "end" ? end.finish : null,
    code: failed.code,
    message: failed.message,
  };
}

const stream = (body: string): Promise<Read> => {
  next = { status: 200, type: "text/event-stream", body };
  return read();
};
const refuse = (status: number, body: unknown): Promise<Read> => {
  next = { status, type: "application/json", body: typeof body === "string" ? body : JSON.stringify(body) };
  return read();
};

const data = (value: unknown): string =>
  `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish: unknown = null, more: object = {}): string =>
  data({
    id: "1",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  });
const done = data("[DONE]");
const piece = (call: object): string => chunk({ tool_calls: [call] });
const end = chunk({}, "tool_calls") + done;

it.each<[string, string, Partial<Read>]>([
  [
    "content in parts (Mistral's Magistral)",
    chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }) +
      chunk({
        content: [
          { type: "text", text: "Hel" },
          { type: "text", text: "lo" },
        ],
      }) +
      chunk({ content: "" }, "stop") +
      done,
    { text: "Hello", finish: "stop" },
  ],
  [
    "an error that is null in each chunk",
    chunk({ content: "Hello" }, null, { error: null }) + chunk({}, "stop", { error: null }) + done,
    { text: "Hello", finish: "stop" },
  ],
  ["a chunk that is null", data("null") + chunk({ content: "Hello" }, "stop") + done, { text: "Hello" }],
  [
    "an event without data",
    `event: ping\ndata:\n\n${chunk({ content: "Hello" }, "stop")}${done}`,
    { text: "Hello", finish: "stop" },
  ],
  [
    "lines that end with CR",
    (chunk({ content: "Hello" }, "stop") + done).replaceAll("\n", "\r"),
    { text: "Hello", finish: "stop" },
  ],
  [
    "lines that end with CR and LF",
    (chunk({ content: "Hello" }, "stop") + done).replaceAll("\n", "\r\n"),
    { text: "Hello", finish: "stop" },
  ],
  [
    "a refusal beside an empty content",
    chunk({ content: "", refusal: "I can't help" }, "stop") + done,
    { text: "I can't help" },
  ],
  [
    "an empty finish reason before a cut",
    chunk({ content: "Hel" }, ""),
    { text: "Hel", code: "model_unavailable", message: "The answer of the model was cut off." },
  ],
  [
    "arguments as an object",
    piece({ index: 0, id: "a", function: { name: "f", arguments: { x: 1 } } }) + end,
    { calls: [["a", "f", '{"x":1}']], finish: "calls" },
  ],
  [
    "parallel calls without ids",
    piece({ index: 0, function: { name: "f", arguments: '{"x":1}' } }) +
      piece({ index: 0, function: { name: "g", arguments: '{"y":' } }) +
      piece({ index: 0, function: { arguments: "1}" } }) +
      piece({ index: 0, function: { name: "g", arguments: '{"y":2}' } }) +
      end,
    {
      calls: [
        ["", "f", '{"x":1}'],
        ["", "g", '{"y":1}'],
        ["", "g", '{"y":2}'],
      ],
    },
  ],
  [
    "parallel calls with empty ids and no index",
    piece({ id: "", function: { name: "f", arguments: '{"x":1}' } }) +
      piece({ id: "", function: { name: "f", arguments: '{"x":2}' } }) +
      end,
    {
      calls: [
        ["", "f", '{"x":1}'],
        ["", "f", '{"x":2}'],
      ],
    },
  ],
  [
    "a name that each piece of a call without id repeats",
    piece({ index: 0, function: { name: "f", arguments: '{"x":' } }) +
      piece({ index: 0, function: { name: "f", arguments: "1}" } }) +
      piece({ index: 0, function: { name: "f", arguments: "" } }) +
      end,
    { calls: [["", "f", '{"x":1}']] },
  ],
  [
    "thoughts (DeepSeek)",
    chunk({ content: null, reasoning_content: "Let me " }) +
      chunk({ reasoning_content: "look." }) +
      chunk({ content: "Hello" }, "stop") +
      done,
    { text: "Hello", thoughts: "Let me look." },
  ],
  [
    "a secret in what is kept",
    chunk({ reasoning_content: "The key is sk-canary" }) +
      chunk({ reasoning_content: "-0001." }) +
      piece({
        index: 0,
        id: "sk-canary-0001",
        extra_content: { a: "sk-canary-0001" },
        function: { name: "f" },
      }) +
      end,
    { thoughts: "The key is ***.", calls: [["***", "f", ""]], meta: [{ a: "***" }] },
  ],
  [
    "a signature of thoughts (Gemini)",
    piece({
      id: "fc1",
      extra_content: { google: { thought_signature: "EjQKMg==" } },
      function: { name: "f", arguments: "{}" },
    }) + end,
    { calls: [["fc1", "f", "{}"]], meta: [{ google: { thought_signature: "EjQKMg==" } }] },
  ],
])("reads %s", async (_, body, wanted) => {
  expect(await stream(body)).toMatchObject({ code: null, message: "", ...wanted });
});

const said = (text: string): RegExp => new RegExp(`It said: ${text}`);

it.each<[string, string, string, RegExp]>([
  [
    "too long a context",
    data({
      error: {
        message: "This model's maximum context length is 8 tokens.",
        type: "BadRequestError",
        code: 400,
      },
    }),
    "context_too_long",
    said("This model's maximum context length is 8"),
  ],
  [
    "a rate limit after some text",
    chunk({ content: "He" }) +
      data({ error: { message: "Slow down", type: "rate_limit_error", code: "429" } }),
    "model_rate_limited",
    said("Slow down"),
  ],
  [
    "a rate limit without a number",
    data({ error: { message: "Slow down", type: "rate_limit_error" } }),
    "model_rate_limited",
    said("Slow down"),
  ],
  [
    "refused credentials",
    data({ error: { message: "No such key", type: "authentication_error", code: 401 } }),
    "model_auth",
    /refused the credentials \(401\)\.$/,
  ],
  [
    "refused credentials without a number",
    data({ error: { message: "No such key", type: "authentication_error" } }),
    "model_auth",
    /refused the credentials\.$/,
  ],
  [
    "a filtered answer (Azure)",
    data({ error: { message: "The response was filtered", code: "content_filter", status: 400 } }),
    "content_filtered",
    /filter/,
  ],
  [
    "the flat form of older vLLM",
    data({
      object: "error",
      message: "This model's maximum context length is 8.",
      type: "BadRequestError",
      code: 400,
    }) + done,
    "context_too_long",
    said("This model's"),
  ],
  [
    "anything else, without the key in it",
    data({ error: { message: "CUDA out of memory for sk-canary-0001", code: 500 } }),
    "model_unavailable",
    /^The model broke off its answer with an error\. It said: CUDA out of memory for \*\*\*$/,
  ],
  ["an error that is a text", data({ error: "oops" }), "model_unavailable", said("oops")],
])("reads the error in a stream of %s", async (_, body, code, message) => {
  const answer = await stream(body);
  expect([answer.code, answer.message]).toEqual([code, expect.stringMatching(message)]);
});

it.each<[peer: string, refusal: [status: number, body: unknown], code: string, message: RegExp]>([
  [
    "Gemini, a wrong key",
    [
      400,
      [
        {
          error: {
            code: 400,
            message: "API key not valid. Please pass a valid API key.",
            status: "INVALID_ARGUMENT",
          },
        },
      ],
    ],
    "model_auth",
    /\(400\)\.$/,
  ],
  [
    "xAI, a wrong key",
    [400, { code: "invalid-argument", error: "Incorrect API key provided: ab***" }],
    "model_auth",
    /400/,
  ],
  [
    "Gemini, too long",
    [
      400,
      [
        {
          error: {
            code: 400,
            message: "The input token count (9) exceeds the maximum number of tokens allowed (8).",
          },
        },
      ],
    ],
    "context_too_long",
    said("The input token count"),
  ],
  [
    "Gemini, anything else",
    [400, [{ error: { code: 400, message: "Unknown name.", status: "INVALID_ARGUMENT" } }]],
    "model_unavailable",
    said("Unknown name"),
  ],
  [
    "llama.cpp, too long",
    [400, { error: { code: 400, message: "the request exceeds it", type: "exceed_context_size_error" } }],
    "context_too_long",
    said("the request exceeds it"),
  ],
  [
    "llama.cpp, too long for an embedder",
    [
      500,
      { error: { code: 500, message: "input is too large to process. increase the physical batch size" } },
    ],
    "context_too_long",
    said("input is too large"),
  ],
  [
    "vLLM, too long",
    [
      400,
      {
        error: {
          message: "The decoder prompt (length 9) is longer than the maximum model length of 8.",
          code: 400,
        },
      },
    ],
    "context_too_long",
    said("The decoder prompt"),
  ],
  [
    "Bedrock through LiteLLM, too long",
    [400, { error: { message: 'BedrockException - {"message":"Input is too long for requested model."}' } }],
    "context_too_long",
    said("BedrockException"),
  ],
  [
    "TGI, too long",
    [
      422,
      {
        error: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8. Given: 9",
        error_type: "validation",
      },
    ],
    "context_too_long",
    said("Input validation error"),
  ],
  [
    "Groq, too many tokens in a minute",
    [
      413,
      {
        error: {
          message: "Request too large: Limit 6, Requested 9",
          type: "tokens",
          code: "rate_limit_exceeded",
        },
      },
    ],
    "model_rate_limited",
    said("Request too large"),
  ],
  ["FastAPI, a text", [400, { detail: "Model m not found" }], "model_unavailable", said("Model m not found")],
  [
    "FastAPI, a list",
    [
      422,
      { detail: [{ loc: ["body"], msg: "Extra inputs are not permitted", input: "maximum context length" }] },
    ],
    "model_unavailable",
    said("Extra inputs are not permitted"),
  ],
  ["a gateway's page", [400, "<html>Bad Request</html>"], "model_unavailable", /status 400\.$/],
])("reads the refusal of %s", async (_, refusal, code, message) => {
  const answer = await refuse(...refusal);
  expect([answer.code, answer.message]).toEqual([code, expect.stringMatching(message)]);
  // No refusal here is one that passes.
  expect(requests).toBe(1);
});

it.each([
  [
    "rate_limit_error",
    "Slow down for sk-canary-0001",
    "model_rate_limited",
    /It said: Slow down for \*\*\*$/,
  ],
  [
    "overloaded_error",
    "Overloaded",
    "model_unavailable",
    /broke off its answer with an error\. It said: Overloaded$/,
  ],
  [
    "invalid_request_error",
    "prompt is too long: 9 tokens > 8 maximum",
    "context_too_long",
    /It said: prompt/,
  ],
] as const)("reads an error in a stream of Anthropic of type %s", async (type, message, code, wanted) => {
  const start = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    usage: { input_tokens: 1 },
  };
  const event = (name: string, value: object): string => `event: ${name}\n${data({ type: name, ...value })}`;
  next = {
    status: 200,
    type: "text/event-stream",
    body:
      event("message_start", { message: start }) +
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }) +
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "He" } }) +
      event("error", { error: { type, message } }),
  };
  const answer = await read("anthropic");
  expect([answer.text, answer.code, answer.message]).toEqual(["He", code, expect.stringMatching(wanted)]);
});
