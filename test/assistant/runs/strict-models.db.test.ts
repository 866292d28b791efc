/**
 * Model servers that refuse what others take: no history of ours makes them refuse a session for ever, and what they want back is sent
 * to them alone. Their rules and words are those of the servers that each case names.
 */
import type { ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ModelConfig } from "../../../src/assistant/models/read-model.ts";
import { startHttpPeer, type HttpPeer } from "../../support/http-peer.ts";
import { startWholeServer, until, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";
import { openStream, readUntil } from "./stream.ts";

interface WireCall {
  id: string;
  function: { name: string; arguments: string };
  extra_content?: { google?: { thought_signature?: string } };
}

interface WireMessage {
  role: string;
  content: string | null;
  reasoning_content?: string;
  tool_calls?: WireCall[];
  tool_call_id?: string;
}

interface Answer {
  status?: number;
  error?: unknown;
  deltas?: object[];
  finish?: string;
}

let server: WholeServer;
let peer: HttpPeer;
let config: ModelConfig;
const tools = testTools();
/** The messages of each request. */
let seen: WireMessage[][] = [];
let answerTo: (messages: WireMessage[], number: number) => Answer;

function write(response: ServerResponse, { status, error, deltas = [], finish = "stop" }: Answer): void {
  if (status !== undefined) {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(error));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta: object, reason: string | null): unknown =>
    response.write(
      `data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`,
    );
  for (const delta of deltas) send(delta, null);
  send({}, finish);
  response.end("data: [DONE]\n\n");
}

beforeAll(async () => {
  peer = await startHttpPeer((request, response) => {
    void json(request).then((body) => {
      const { messages } = body as { messages: WireMessage[] };
      seen.push(messages);
      write(response, answerTo(messages, seen.length - 1));
    });
  });
  const ports = testPorts(`${peer.url}/v1`);
  config = (await ports.readModel())!;
  server = await startWholeServer({
    replaced: { runs: { ...ports, readModel: async () => config }, tools },
    configure(settings) {
      settings.assistant.titles = "message";
      settings.assistant.models.attempts = 1;
      settings.assistant.models.contextTokens = 8_000;
      settings.assistant.budgets.tokens = 40_000;
    },
  });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});
beforeEach(() => {
  seen = [];
  config = { ...config, provider: "openai-compatible", endpoint: `${peer.url}/v1`, model: "strict" };
  tools.answer = () => "42 rows";
});

const ask = (message: string, sessionId: string | null = null) =>
  server.assistant({ method: "POST", path: "/task/sync", body: { message, session_id: sessionId } });
const lastSession = async (): Promise<string> =>
  (await server.assistant({ path: "/sessions" })).body.data[0].id;

const refused = (message: string): Answer => ({ status: 400, error: { error: { message } } });
const fine: Answer = { deltas: [{ content: "fine" }] };
const calling = (call: object, before: object[] = []): Answer => ({
  deltas: [...before, { tool_calls: [{ index: 0, ...call }] }],
  finish: "tool_calls",
});
const look = { id: "D681PevKs", function: { name: "unit__look", arguments: "{}" } };
const thinking = [{ reasoning_content: "Secret thoughts: " }, { reasoning_content: "look first." }];
const signed = { ...look, extra_content: { google: { thought_signature: "EjQKMg==" } } };

const callsIn = (messages: WireMessage[]): WireCall[] =>
  messages.flatMap(({ tool_calls: calls = [] }) => calls);

/** vLLM, SGLang and llama.cpp parse the arguments of a history. */
function parsing(messages: WireMessage[]): string | null {
  try {
    const given: unknown[] = callsIn(messages).map((call) => JSON.parse(call.function.arguments));
    return given.every((each) => Object.getPrototypeOf(each) === Object.prototype)
      ? null
      : "Can only get item pairs from a mapping.";
  } catch (error) {
    return (error as Error).message;
  }
}

/** OpenAI and Azure. */
const checkingNames = (messages: WireMessage[]): string | null =>
  callsIn(messages).every((call) => /^[a-zA-Z0-9_-]+$/.test(call.function.name))
    ? null
    : "Invalid 'messages[2].tool_calls[0].function.name': string does not match pattern.";

/** Mistral's API: ids of calls, and the order of roles. */
function mistral(messages: WireMessage[]): string | null {
  for (const { id } of callsIn(messages)) {
    if (!/^[a-zA-Z0-9]{9}$/.test(id)) return `Tool call id was ${id} but must be a-z, A-Z, 0-9, length 9.`;
  }
  const isWrong = messages.some(({ role }, at) => role === "user" && messages[at - 1]?.role === "tool");
  return isWrong ? "Unexpected role 'user' after role 'tool'" : null;
}

/** Gemini 3 in OpenAI's form: of the calls since the last question, the first of each turn. */
function gemini(messages: WireMessage[]): string | null {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === "user"));
  const isMissing = since.some(
    ({ tool_calls: calls }) => calls && calls[0]?.extra_content?.google?.thought_signature !== "EjQKMg==",
  );
  return isMissing ? "Function call is missing a thought_signature in functionCall parts." : null;
}

/** DeepSeek while it thinks. */
const deepseek = (messages: WireMessage[]): string | null =>
  messages.some(({ tool_calls: calls, reasoning_content: text = "" }) => calls && text === "")
    ? "The `reasoning_content` in the thinking mode must be passed back to the API."
    : null;

/** Chat templates such as those of Mistral 7B and Gemma 3: tools and their calls aside, roles take turns. */
function alternating(messages: WireMessage[]): string | null {
  const roles = messages
    .filter(({ role, tool_calls: calls }) => role === "user" || (role === "assistant" && !calls))
    .map(({ role }) => role);
  const isRight = roles.every((role, at) => role === (at % 2 === 0 ? "user" : "assistant"));
  return isRight
    ? null
    : "After the optional system message, conversation roles must alternate user/assistant/…";
}

const rules = [parsing, checkingNames, mistral, gemini, deepseek, alternating];

it.each<[string, (messages: WireMessage[]) => string | null, Answer]>([
  [
    "broken arguments",
    parsing,
    { ...calling({ ...look, function: { name: "unit__look", arguments: '{"at": "ord' } }), finish: "length" },
  ],
  ["no arguments", parsing, calling({ ...look, function: { name: "unit__look", arguments: "" } })],
  [
    "arguments that are no object",
    parsing,
    calling({ ...look, function: { name: "unit__look", arguments: "7" } }),
  ],
  [
    "an invented name",
    checkingNames,
    calling({ ...look, function: { name: "multi_tool_use.parallel", arguments: "{}" } }),
  ],
  ["ids of calls", mistral, calling(look)],
  ["signatures of thoughts", gemini, calling(signed)],
  ["thoughts", deepseek, calling(look, thinking)],
])("goes on with a server that is strict about %s", async (_, rule, first) => {
  answerTo = (messages, number) => {
    const problem = rule(messages);
    return problem === null ? (number === 0 ? first : fine) : refused(problem);
  };
  const { status, body } = await ask("Look at orders");
  expect([status, body.message]).toEqual([200, "fine"]);
  expect((await ask("And now?", body.session_id)).status).toBe(200);
  expect((await ask("Hello?", body.session_id)).status).toBe(200);
});

it("goes on where roles must alternate, after a run that failed and after a summary", async () => {
  answerTo = (messages, number) => {
    if (number === 0) return { status: 401, error: { error: { message: "key expired" } } };
    const problem = alternating(messages);
    return problem === null ? { deltas: [{ content: "word ".repeat(700) }] } : refused(problem);
  };
  expect((await ask("Look at orders")).body.code).toBe("model_auth");
  const session = await lastSession();
  for (let n = 0; n < 9; n += 1) expect((await ask(`Question ${n}`, session)).status).toBe(200);
  expect(seen[1]?.at(-1)?.content).toBe("Look at orders\n\nQuestion 0");
  expect(seen.some(([first]) => first?.content?.startsWith("Summarise"))).toBe(true);
});

it("goes on after a run that was stopped while its tool was at work", async () => {
  answerTo = (messages, number) => {
    const problem = mistral(messages) ?? alternating(messages) ?? deepseek(messages);
    if (problem !== null) return refused(problem);
    return number === 0
      ? calling({ ...look, function: { name: "unit__slow", arguments: "{}" } }, thinking)
      : fine;
  };
  tools.calls.length = 0;
  const stream = await openStream(`${server.url}/api/assistant/v2/task`, { body: { message: "Wait" } });
  const { data } = await readUntil(stream, ({ event }) => event === "RUN_STARTED");
  await expect.poll(() => tools.calls.at(-1)?.name).toBe("slow");
  await server.assistant({ method: "POST", path: `/runs/${data.runId}/cancel` });
  expect((await ask("What happened?", data.threadId)).body.message).toBe("fine");
  expect(seen.length).toBe(2);
});

/** Turns with thoughts, a signature and a call, until there is a result. */
const giving = (messages: WireMessage[]): Answer =>
  messages.at(-1)?.role === "tool" ? fine : calling(signed, thinking);
const retainedIn = (messages: WireMessage[]) => ({
  thoughts: messages.flatMap(({ reasoning_content: text }) => text ?? []),
  signatures: callsIn(messages).flatMap((call) => call.extra_content?.google?.thought_signature ?? []),
  ids: callsIn(messages).map(({ id }) => id),
});

it("sends what a model wants back to that model alone, also after another one had its turn", async () => {
  answerTo = giving;
  const session = (await ask("Look")).body.session_id;
  const given = { thoughts: ["Secret thoughts: look first."], signatures: ["EjQKMg=="], ids: ["D681PevKs"] };
  expect(retainedIn(seen.at(-1)!)).toEqual(given);
  answerTo = () => fine;
  for (const change of [
    { model: "another" },
    { endpoint: `${peer.url}/v1/elsewhere` },
    { provider: "openai" as const },
  ]) {
    const before = config;
    config = { ...config, ...change };
    expect((await ask("And now?", session)).status).toBe(200);
    const { ids, ...others } = retainedIn(seen.at(-1)!);
    expect([others, ids]).toEqual([
      { thoughts: [], signatures: [] },
      [expect.stringMatching(/^[a-zA-Z0-9]{9}$/)],
    ]);
    expect(JSON.stringify(seen.at(-1))).not.toMatch(/D681PevKs|EjQKMg|Secret thoughts/);
    config = before;
  }
  await ask("And later?", session);
  expect(retainedIn(seen.at(-1)!)).toEqual(given);
});

it("shows it to nobody", async () => {
  answerTo = giving;
  const stream = await openStream(`${server.url}/api/assistant/v2/task`, { body: { message: "Look" } });
  let shown = "";
  const { data } = await readUntil(stream, ({ event, text }) => {
    shown += text;
    return event === "RUN_FINISHED";
  });
  const { body: messages } = await server.assistant({ path: `/sessions/${data.threadId}/messages` });
  const { body: run } = await server.assistant({ path: `/runs/${data.runId}` });
  expect(messages.data[1].tool_calls).toEqual([
    { id: expect.stringMatching(/^call_/), name: "unit__look", arguments: "{}", result: "42 rows" },
  ]);
  expect(shown + JSON.stringify([messages, run])).not.toMatch(/D681PevKs|EjQKMg|Secret thoughts/);
});

it("has it still when a run goes on after an approval", async () => {
  answerTo = (messages) => {
    const problem = rules.map((rule) => rule(messages)).find((each) => each !== null) ?? null;
    if (problem !== null) return refused(problem);
    const removal = { ...signed, function: { name: "unit__remove", arguments: '{"what":"x"}' } };
    return messages.at(-1)?.role === "tool" ? fine : calling(removal, thinking);
  };
  const { body } = await ask("Remove x");
  const [{ approval_id: id, run_id: runId }] = (await server.assistant({ path: "/approvals" })).body.data;
  await server.assistant({
    method: "POST",
    path: `/runs/${runId}/approvals/${id}`,
    body: { approved: true },
  });
  const ended = await until(
    () => server.assistant({ path: `/runs/${runId}` }),
    (got) => ["completed", "failed"].includes(got.body.status),
  );
  expect(ended.body.status).toBe("completed");
  expect(retainedIn(seen.at(-1)!).thoughts).toEqual(["Secret thoughts: look first."]);
  expect((await ask("And now?", body.session_id)).status).toBe(200);
});

it("goes on in a session with calls of another model, whose thoughts a server asks for", async () => {
  answerTo = (_messages, number) => (number === 0 ? calling(look) : fine);
  const { session_id: session } = (await ask("Look")).body;
  config = { ...config, model: "thinking" };
  answerTo = (messages) => {
    const problem = deepseek(messages);
    return problem === null ? giving(messages) : refused(problem);
  };
  const before = seen.length;
  expect((await ask("And now?", session)).body.message).toBe("fine");
  // The refused one, its repetition, and the turn after the call.
  expect(seen.length - before).toBe(3);
  expect(retainedIn(seen.at(-1)!).thoughts.at(-1)).toBe("Secret thoughts: look first.");
});

it("gives calls that a server has numbered anew in each turn an id of their own", async () => {
  let calls = 0;
  answerTo = (messages) =>
    (calls += messages.at(-1)?.role === "user" ? 1 : 0) > 0 && callsIn(messages).length < 3
      ? calling({
          id: "call_0",
          function: { name: "unit__look", arguments: `{"n":${callsIn(messages).length}}` },
        })
      : fine;
  expect((await ask("Look")).body.message).toBe("fine");
  const { ids } = retainedIn(seen.at(-1)!);
  expect([ids[0], new Set(ids).size]).toEqual(["call_0", 3]);
  expect(seen.at(-1)!.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(ids);
});

it("counts thoughts against the budget of the run", async () => {
  answerTo = () => ({
    deltas: Array.from({ length: 60 }, () => ({ reasoning_content: "hm ".repeat(2_000) })),
  });
  const { body } = await ask("Think");
  expect(body.message).toBe("I stopped at a limit of this run (tokens) before I had an answer.");
});

it("leaves old turns out when their thoughts fill the context", async () => {
  const long = [{ reasoning_content: "hm ".repeat(4_000) }];
  answerTo = (_messages, number) =>
    number < 4
      ? calling({ ...look, function: { name: "unit__look", arguments: `{"n":${number}}` } }, long)
      : fine;
  expect((await ask("Look")).body.message).toBe("fine");
  expect(seen.length).toBe(5);
  for (const messages of seen) expect(JSON.stringify(messages).length / 4).toBeLessThan(8_000);
  expect(retainedIn(seen.at(-1)!).thoughts.length).toBe(1);
});
