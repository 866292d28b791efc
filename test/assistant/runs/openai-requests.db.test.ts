/** The `openai` client against `/v1`: its errors, what it may ask for, and what it reads again. */
import OpenAI, { APIError } from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import { tokenOf, type TestRole, type WholeServer } from "../../support/server.ts";
import { startModelServer } from "../model-server.ts";

let server: WholeServer;
let model: ScriptedModel;
const crew = "Data / Harbour crew #1";

beforeAll(async () => {
  ({ server, model } = await startModelServer([], {
    configure: (config) => void (config.assistant.models.attempts = 1),
  }));
  const made = await server.assistant({
    method: "POST",
    path: "/agents",
    body: { name: crew, label: "Crew" },
  });
  expect(made.status).toBe(201);
});
afterAll(() => server.close());
beforeEach(() => {
  model.follow([
    { role: "user", last: "break", turn: { text: "Half an answer", cutAfter: 2, tokenMs: 20 } },
    { role: "user", last: "slowly", turn: { text: "One two three four five six", tokenMs: 2_000 } },
    { turn: { text: "Good morning" } },
  ]);
});

const v1 = (path: string): string => `${server.url}/api/assistant/v1${path}`;
const openai = (role: TestRole = "admin"): OpenAI =>
  new OpenAI({ baseURL: v1(""), apiKey: tokenOf(role), maxRetries: 0 });
const user = (content: string) => [{ role: "user" as const, content }];

/** What the client has made of a refusal. */
async function refusalOf(call: PromiseLike<unknown>): Promise<APIError> {
  const error = await Promise.resolve(call).then(
    () => expect.fail("it was not refused"),
    (found: unknown) => found,
  );
  expect(error).toBeInstanceOf(APIError);
  return error as APIError;
}
const shown = ({ status, type, param, code }: APIError) => ({ status, type, param, code });
const invalid = { status: 400, type: "invalid_request_error" };

describe("models", () => {
  it("are retrieved by names with spaces and slashes, and asked by them", async () => {
    const entry = { id: crew, object: "model", created: 0, owned_by: "plinth" };
    expect(await openai().models.retrieve(crew)).toEqual(entry);
    const chat = await openai().chat.completions.create({ model: crew, messages: user("Hello") });
    expect(chat.choices[0]?.message.content).toBe("Good morning");
    expect(chat.model).toBe(crew);
  });

  it("that are unknown are not found", async () => {
    const unknown = { status: 404, type: "invalid_request_error", param: "model", code: "model_not_found" };
    expect(shown(await refusalOf(openai().models.retrieve("nobody")))).toEqual(unknown);
    for (const stream of [false, true])
      expect(
        shown(
          await refusalOf(
            openai().chat.completions.create({ model: "nobody", messages: user("x"), stream } as any),
          ),
        ),
      ).toEqual(unknown);
    expect(shown(await refusalOf(openai().responses.create({ model: "nobody", input: "x" })))).toEqual(
      unknown,
    );
  });
});

describe("errors have OpenAI's shape", () => {
  const ask = (path: string, init: RequestInit = {}, token = tokenOf("admin")): Promise<Response> =>
    fetch(v1(path), {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  const post = (path: string, body: string): Promise<Response> => ask(path, { method: "POST", body });

  it.each<[string, () => Promise<Response>, number, string, string | null, string]>([
    [
      "a wrong key",
      () => ask("/models", {}, "nobody"),
      401,
      "invalid_request_error",
      null,
      "invalid_api_key",
    ],
    ["an unknown path", () => ask("/nothing"), 404, "invalid_request_error", null, "PLATFORM_NOT_FOUND"],
    [
      "another method",
      () =>
        fetch(v1("/models"), { method: "DELETE", headers: { authorization: `Bearer ${tokenOf("admin")}` } }),
      405,
      "invalid_request_error",
      null,
      "PLATFORM_METHOD_NOT_ALLOWED",
    ],
    ["no JSON", () => post("/chat/completions", "{"), 400, "invalid_request_error", null, "invalid_value"],
    [
      "a missing field",
      () => post("/chat/completions", '{"model":"orchestrator"}'),
      400,
      "invalid_request_error",
      "messages",
      "missing_required_parameter",
    ],
    [
      "a wrong type",
      () => post("/chat/completions", '{"model":"orchestrator","messages":[{"role":7}]}'),
      400,
      "invalid_request_error",
      "messages[0].role",
      "invalid_type",
    ],
    [
      "no message of the user",
      () => post("/responses", '{"model":"orchestrator","input":""}'),
      400,
      "invalid_request_error",
      "input",
      "invalid_value",
    ],
    [
      "a large body",
      () => post("/responses", JSON.stringify({ model: "m", input: "x".repeat(20_000_000) })),
      413,
      "invalid_request_error",
      null,
      "PLATFORM_BODY_TOO_LARGE",
    ],
  ])("%s", async (...[, request, ...wanted]) => {
    const [status, type, param, code] = wanted;
    const answer = await request();
    const body: unknown = await answer.json();
    expect([answer.status, body]).toEqual([
      status,
      { error: { message: expect.stringMatching(/\w/), type, param, code } },
    ]);
  });

  it("with every problem in the message", async () => {
    const answer = await post("/chat/completions", '{"model":"","n":2}');
    expect(((await answer.json()) as any).error.message).toMatch(
      /'messages' is required.*'model'|'model'.*'messages'/,
    );
  });

  it("also within a stream that breaks off", async () => {
    const stream = openai().chat.completions.stream({ model: crew, messages: user("break") });
    await expect(stream.finalContent()).rejects.toThrow("broke before the answer was complete");
  });
});

describe("inputs", () => {
  const tool = { type: "function", function: { name: "f", parameters: {} } };
  const image = { type: "image_url", image_url: { url: "http://x/y.png" } };
  it.each<[param: string, more: object, code: string]>([
    ["tools", { tools: [tool] }, "unsupported_parameter"],
    ["functions", { functions: [{ name: "f" }] }, "unsupported_parameter"],
    ["tool_choice", { tool_choice: "required" }, "unsupported_value"],
    ["tool_choice", { tool_choice: { type: "function", function: { name: "f" } } }, "unsupported_value"],
    ["n", { n: 2 }, "unsupported_value"],
    ["response_format", { response_format: { type: "json_object" } }, "unsupported_value"],
    ["logprobs", { logprobs: true }, "unsupported_parameter"],
    ["top_logprobs", { top_logprobs: 2 }, "unsupported_parameter"],
    ["modalities", { modalities: ["text", "audio"] }, "unsupported_value"],
    ["audio", { audio: { voice: "a", format: "wav" } }, "unsupported_parameter"],
    ["stop", { stop: ["\n"] }, "unsupported_parameter"],
    ["web_search_options", { web_search_options: {} }, "unsupported_parameter"],
    [
      "messages[0].content[1]",
      { messages: [{ role: "user", content: [{ type: "text", text: "x" }, image] }] },
      "unsupported_value",
    ],
    [
      "messages[0].content[0]",
      { messages: [{ role: "user", content: [{ type: "input_audio", input_audio: {} }] }, ...user("x")] },
      "unsupported_value",
    ],
  ])("chat: %s is refused by its name (%o)", async (param, more, code) => {
    const before = model.requests.length;
    const body: any = { model: crew, messages: user("x"), ...more };
    const error = await refusalOf(openai().chat.completions.create(body));
    expect(shown(error)).toEqual({ ...invalid, param, code });
    expect(error.message).toContain(`'${param}'`);
    expect(model.requests).toHaveLength(before);
  });

  it.each<[param: string, more: object, code: string]>([
    ["tools", { tools: [{ type: "web_search" }] }, "unsupported_parameter"],
    ["tool_choice", { tool_choice: "required" }, "unsupported_value"],
    ["text", { text: { format: { type: "json_schema", name: "x", schema: {} } } }, "unsupported_value"],
    ["background", { background: true }, "unsupported_parameter"],
    ["conversation", { conversation: "conv_1" }, "unsupported_parameter"],
    ["prompt", { prompt: { id: "pmpt_1" } }, "unsupported_parameter"],
    [
      "input[0].content[0]",
      { input: [{ role: "user", content: [{ type: "input_image", image_url: "http://x" }] }] },
      "unsupported_value",
    ],
    [
      "input[1]",
      { input: [...user("x"), { role: "user", type: "function_call_output", call_id: "c", output: "x" }] },
      "unsupported_value",
    ],
  ])("responses: %s is refused by its name (%o)", async (param, more, code) => {
    const body: any = { model: crew, input: "x", ...more };
    expect(shown(await refusalOf(openai().responses.create(body)))).toEqual({ ...invalid, param, code });
  });

  it("that change nothing are taken", async () => {
    const harmless = {
      temperature: 0.2,
      top_p: 1,
      user: "ada",
      metadata: { a: "b" },
      store: false,
      parallel_tool_calls: false,
      service_tier: "auto" as const,
      tools: [],
      tool_choice: "none" as const,
    };
    const chat = await openai().chat.completions.create({
      ...harmless,
      model: crew,
      messages: user("Hello"),
      seed: 7,
      n: 1,
      max_tokens: 100,
      max_completion_tokens: 100,
      frequency_penalty: 0,
      stop: null,
      logprobs: false,
      response_format: { type: "text" },
      modalities: ["text"],
    });
    expect(chat.choices[0]?.message.content).toBe("Good morning");
    const stream = await openai().chat.completions.create({
      model: crew,
      messages: user("Hello"),
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    expect(text).toBe("Good morning");
    const response = await openai().responses.create({
      ...harmless,
      model: crew,
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] }],
      max_output_tokens: 100,
      truncation: "auto",
      text: { format: { type: "text" } },
      include: [],
      reasoning: null,
    });
    expect(response.output_text).toBe("Good morning");
  });
});

describe("earlier messages of a request", () => {
  const history = [
    { role: "system" as const, content: "Be brief." },
    { role: "user" as const, content: "What is a port?" },
    { role: "assistant" as const, content: "A door of a product." },
    { role: "user" as const, content: "And a storage?" },
  ];
  const sent = () => model.requests.at(-1)!.body.messages.slice(1);
  const asked = {
    role: "user",
    content: expect.stringMatching(/^And a storage\?\n\n<data-\w+ [^]*Be brief\./),
  };
  const wanted = [
    { role: "user", content: "What is a port?" },
    { role: "assistant", content: "A door of a product." },
    asked,
  ];

  it("of a chat reach the model as messages", async () => {
    await openai().chat.completions.create({ model: crew, messages: history });
    expect(sent()).toMatchObject(wanted);
    expect(sent()).toHaveLength(3);
  });

  it("of a response as well, and are known to the next one", async () => {
    const first = await openai().responses.create({ model: crew, input: history });
    expect(sent()).toMatchObject(wanted);
    await openai().responses.create({ model: crew, input: "And now?", previous_response_id: first.id });
    expect(sent().map(({ content }) => content)).toEqual([
      "What is a port?",
      "A door of a product.",
      "And a storage?",
      "Good morning",
      "And now?",
    ]);
  });

  it("beyond any context are left out from the oldest on", async () => {
    const long = Array.from({ length: 30 }, (_, n) => ({
      role: n % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: `${n} `.repeat(40_000),
    }));
    await openai().chat.completions.create({ model: crew, messages: [...long, ...user("Hello")] });
    expect(sent().at(-1)?.content).toBe("Hello");
    expect(sent().some(({ content }) => content?.startsWith("0 0 ") === true)).toBe(false);
  });
});

describe("responses are retrieved", () => {
  it("as a stream, from where the client is", async () => {
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    const stream = await openai().responses.create({ model: crew, input: "Hello", stream: true });
    for await (const event of stream) events.push(event);
    const id = events[0]?.type === "response.created" ? events[0].response.id : "";
    const read = async (more: object = {}) => {
      const all: OpenAI.Responses.ResponseStreamEvent[] = [];
      for await (const event of await openai().responses.retrieve(id, { stream: true, ...more }))
        all.push(event);
      return all;
    };
    const withoutTime = (all: readonly object[]): unknown =>
      JSON.parse(JSON.stringify(all).replaceAll(/"created_at":\d+/g, '"created_at":0'));
    expect(withoutTime(await read())).toEqual(withoutTime(events));
    const rest = await read({ starting_after: 3 });
    expect(rest.map(({ sequence_number: n }) => n)).toEqual(events.map((_, n) => n).slice(4));
    await sql`delete from assistant_run_events where run_id = ${id.replace("resp_", "")}`.execute(
      server.db.database.db,
    );
    const stored = (await read()).at(-1);
    expect(stored).toMatchObject({
      type: "response.completed",
      response: { id, output_text: "Good morning" },
    });
  });

  it("as they were answered, by their owner only", async () => {
    const made = await openai().responses.create({ model: crew, input: "Hello" });
    const read = await openai().responses.retrieve(made.id);
    expect(read).toMatchObject({
      id: made.id,
      status: "completed",
      model: crew,
      output_text: "Good morning",
    });
    expect(read.output).toEqual(made.output);
    expect(read.usage).toEqual(made.usage);
    const unknown = {
      status: 404,
      type: "invalid_request_error",
      param: null,
      code: "ASSISTANT_UNKNOWN_RUN",
    };
    expect(shown(await refusalOf(openai("viewer").responses.retrieve(made.id)))).toEqual(unknown);
    expect(shown(await refusalOf(openai().responses.retrieve("resp_7")))).toEqual(unknown);
    const runId = made.id.replace("resp_", "");
    await sql`delete from assistant_run_events where run_id = ${runId}`.execute(server.db.database.db);
    expect(await openai().responses.retrieve(made.id)).toMatchObject({
      status: "completed",
      output_text: "Good morning",
    });
  });

  it("while they are answered, and once they are cancelled", async () => {
    const stream = await openai().responses.create({ model: crew, input: "Go slowly", stream: true });
    let id = "";
    for await (const event of stream) {
      if (event.type !== "response.created") continue;
      ({ id } = event.response);
      const running = await openai().responses.retrieve(id);
      expect(["queued", "in_progress"]).toContain(running.status);
      expect(running.output).toEqual([]);
      const runId = id.replace("resp_", "");
      const cancelled = await server.assistant({ method: "POST", path: `/runs/${runId}/cancel` });
      expect(cancelled.status, cancelled.text).toBeLessThan(300);
      break;
    }
    expect(await openai().responses.retrieve(id)).toMatchObject({ id, status: "cancelled", error: null });
  });

  it("that have failed, with the reason", async () => {
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    const stream = await openai().responses.create({ model: crew, input: "break", stream: true });
    for await (const event of stream) events.push(event);
    const failed = events.find((event) => event.type === "response.failed");
    const id = failed?.response.id ?? "";
    expect(await openai().responses.retrieve(id)).toMatchObject({
      id,
      status: "failed",
      error: { message: expect.stringContaining("broke before") },
    });
  });
});
