/** What a model may do to a run, and what comes of it: every run ends, with a state, a code and what was written. */
import type { Config } from "../../../src/platform/config/schema/schema.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Rule, Script, Turn } from "../../support/scripted-model/script.ts";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import type { WholeServer } from "../../support/server.ts";
import { testTools } from "../runs/agents.ts";
import { allOf, openStream, type Received } from "../runs/stream.ts";
import { startModelServer } from "../model-server.ts";

let server: WholeServer;
let model: ScriptedModel;
const tools = testTools();

/** Limits that even a busy machine does not reach. A case about one of them shortens that one alone. */
const patient = { timeoutMs: 60_000, idleMs: 60_000 };

beforeAll(async () => {
  const configure = ({ assistant }: Config): void => {
    Object.assign(assistant.budgets, { tokens: 3_000 });
    Object.assign(assistant.models, { ...patient, answerBytes: 1_000_000 });
  };
  ({ server, model } = await startModelServer([], { tools, configure }));
});
afterAll(() => server.close());
beforeEach(() => {
  tools.calls.length = 0;
  model.requests.length = 0;
  Object.assign(server.config.assistant.models, patient);
});

let asked = 0;

async function run(script: Script): Promise<{ records: Received[]; last: any; sync: any }> {
  model.follow(script);
  const body = { message: "Hello", request_id: `hostile-${(asked += 1)}` };
  const records = await allOf(await openStream(`${server.url}/api/assistant/v2/task`, { body }));
  const answer = await server.assistant({ method: "POST", path: "/task/sync", body });
  return {
    records,
    last: records.at(-1)?.data,
    sync: [answer.status, answer.body, answer.headers.get("retry-after")],
  };
}

const saidIn = (records: Received[]): string =>
  records.map(({ event, data }) => (event === "TEXT_MESSAGE_CONTENT" ? data.delta : "")).join("");

describe("refuses", () => {
  it.each<[string, Turn, string, string, number, number]>([
    [
      "by 401",
      { status: 401, error: { error: { message: "Bad key sk-canary-model-key" } } },
      "model_auth",
      "The provider of the model refused the credentials (401).",
      503,
      1,
    ],
    [
      "by 429 again and again",
      { status: 429, retryAfter: "0" },
      "model_rate_limited",
      "The provider of the model takes no more requests just now (429). It said: Scripted 429.",
      503,
      3,
    ],
    [
      "by 429 with a wait that is too long",
      { status: 429, retryAfter: "86400" },
      "model_rate_limited",
      "The provider of the model takes no more requests just now (429). It said: Scripted 429.",
      503,
      1,
    ],
    [
      "by 500 again and again",
      { status: 500, retryAfter: "0", error: { error: { message: "Headers: Bearer sk-canary-model-key" } } },
      "model_unavailable",
      "The model answered with status 500. It said: Headers: Bearer ***",
      503,
      3,
    ],
  ])("%s", async (...[, turn, code, message, status, calls]) => {
    const { records, last, sync } = await run([{ turn }]);
    expect(last).toEqual({ type: "RUN_ERROR", message, code });
    expect(sync.slice(0, 2)).toEqual([status, { detail: message, code }]);
    expect(records.map(({ event }) => event)).toEqual(["RUN_STARTED", "RUN_ERROR"]);
    expect(model.requests).toHaveLength(calls);
  });

  it("by 429 and 500 for a while: it waits as it is told, and goes on", async () => {
    const startedAt = performance.now();
    const { last } = await run([
      { times: 1, turn: { status: 429, retryAfter: "1" } },
      { times: 1, turn: { status: 500, retryAfter: "0" } },
      { turn: { text: "Now." } },
    ]);
    expect(last.result.message).toBe("Now.");
    expect(model.requests).toHaveLength(3);
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });
});

describe("never ends", () => {
  const endless: Turn = { text: "on ", endless: true, tokens: ["on ".repeat(500)] };

  it("in words: it is hung up on at the budget, and asked once to close", async () => {
    const { last, records } = await run([{ times: 1, turn: endless }, { turn: { text: "In short: on." } }]);
    expect(last.result).toMatchObject({ limited: true, message: "In short: on." });
    const said = saidIn(records);
    expect(said.length).toBeGreaterThan(20_000);
    expect(said.length).toBeLessThan(30_000);
    await expect.poll(() => model.requests[0]?.isCut).toBe(true);
  });

  it("in words, in the closing step too: what it said first is the answer", async () => {
    const { last, records } = await run([{ turn: endless }]);
    expect(last.result).toMatchObject({ limited: true });
    expect(saidIn(records).startsWith(last.result.message as string)).toBe(true);
    expect(last.result.message.length).toBeGreaterThan(20_000);
    expect(last.result.message.length).toBeLessThan(30_000);
    await expect.poll(() => model.requests[0]?.isCut).toBe(true);
  });

  it.each<[string, Turn, RegExp, Partial<typeof patient>?]>([
    ["in silence", { delayMs: 6_000, text: "late" }, /silent for 1000 ms/, { idleMs: 1_000 }],
    [
      "in drops",
      { text: "on", endless: true, tokenMs: 100 },
      /did not answer completely within 3000 ms/,
      { timeoutMs: 3_000 },
    ],
    [
      "in nothing",
      { tokens: [""], endless: true, tokenMs: 20 },
      /did not answer completely within 3000 ms/,
      { timeoutMs: 3_000 },
    ],
    [
      "in the arguments of a tool",
      { calls: [{ name: "unit__look", arguments: "x".repeat(2_000_000) }] },
      /more than 1000000 bytes|could not be called/,
    ],
    ["in one line", { text: "on", raw: `"${"x".repeat(2_000_000)}"` }, /bytes|could not be called/],
  ])("%s", async (_how, turn, message, limits = {}) => {
    Object.assign(server.config.assistant.models, limits);
    const { last, records, sync } = await run([{ turn }]);
    expect(last).toMatchObject({ type: "RUN_ERROR", code: "model_unavailable" });
    expect(last.message).toMatch(message);
    expect(sync.slice(0, 2)).toEqual([503, { detail: last.message, code: "model_unavailable" }]);
    expect(tools.calls).toEqual([]);
    // The written part is stored, once, in the session as well.
    const [{ data }] = records as [Received];
    const { body } = await server.assistant({ path: `/sessions/${data.threadId}/messages` });
    const storedMessages = body.data.slice(1).map(({ content }: { content: string }) => content);
    expect(storedMessages).toEqual(saidIn(records) === "" ? [] : [saidIn(records)]);
  });
});

describe("streams what is none", () => {
  const cut = "The answer of the model was cut off.";
  const noJson = "The model answered with something that is no JSON.";
  const strange = "The model could not be called.";
  it.each<[string, Turn, string]>([
    ["half an object", { text: "one ", raw: "{" }, noJson],
    ["a cut", { text: "one two", tokenMs: 30, cutAfter: 1 }, "broke before the answer was complete"],
    ["an end before its end", { text: "one ", raw: "[DONE]" }, cut],
    ["choices that are null", { text: "one ", raw: '{"choices":[null]}' }, strange],
    [
      "tool calls that are null",
      { text: "one ", raw: '{"choices":[{"delta":{"tool_calls":[null]}}]}' },
      strange,
    ],
    [
      "an error in the middle",
      { text: "one ", raw: '{"error":{"message":"sk-canary-model-key"}}' },
      "The model broke off its answer with an error.",
    ],
  ])("%s", async (_what, turn, message) => {
    const { last, records } = await run([{ turn }]);
    const failure = expect.stringContaining(message);
    expect(last).toEqual({ type: "RUN_ERROR", message: failure, code: "model_unavailable" });
    expect(saidIn(records)).toBe("one ");
    expect(model.requests).toHaveLength(1);
  });

  it.each([
    ["names that are none", '{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":7}}]}}]}'],
    ["calls that are no list", '{"choices":[{"delta":{"tool_calls":"all"}}]}'],
    ["text that is none", '{"choices":[{"delta":{"content":{"a":1}}}]}'],
    ["a number", "7"],
    ["null", "null"],
    ["use that is none", '{"choices":[],"usage":{"prompt_tokens":"many","completion_tokens":-7}}'],
  ])("%s, which is passed over", async (_what, raw) => {
    const { last } = await run([{ turn: { text: "one ", raw } }]);
    expect(last.result).toMatchObject({ message: "one ", limited: false });
    expect(last.result.usage.output_tokens).toBeGreaterThanOrEqual(0);
  });
});

describe("calls", () => {
  const again = (name: string, given: (n: number) => object, count = 1): Script => {
    let turn = 0;
    return () => {
      turn += 1;
      return {
        calls: Array.from({ length: count }, (_, n) => ({ name, arguments: given(turn * 1_000 + n) })),
      };
    };
  };

  it("tools that there are not, for ever: the run ends at its budget", async () => {
    const { last, records } = await run(again("no_such_tool", (n) => ({ n })));
    expect(last.result).toMatchObject({
      limited: true,
      message: "I stopped at a limit of this run (steps) before I had an answer.",
    });
    const results = records
      .filter(({ event }) => event === "TOOL_CALL_RESULT")
      .map(({ data }) => data.content);
    expect(new Set(results)).toEqual(new Set(['Error: there is no tool "no_such_tool" here.']));
    expect(tools.calls).toEqual([]);
  });

  it("the same tool with the same arguments, for ever: it is made twice", async () => {
    tools.answer = () => "same";
    const { last } = await run(again("unit__look", () => ({ a: 1, b: [2] })));
    expect(last.result).toMatchObject({
      limited: true,
      message: "I stopped at a limit of this run (repeated calls) before I had an answer.",
    });
    expect(tools.calls).toHaveLength(2);
  });

  it("the same a hundred times at once: it is made twice", async () => {
    tools.answer = () => "same";
    const { last } = await run(again("unit__look", () => ({ a: 1 }), 100));
    expect(last.result.limited).toBe(true);
    expect(tools.calls).toHaveLength(2);
  });

  it("another one each time, for ever: as many as the budget has", async () => {
    tools.answer = () => "more";
    const { last } = await run(again("unit__look", (n) => ({ n }), 30));
    expect(last.result).toMatchObject({
      limited: true,
      message: "I stopped at a limit of this run (tool calls) before I had an answer.",
    });
    expect(tools.calls).toHaveLength(40);
  });

  it("itself through other agents, for ever: no deeper than the budget has", async () => {
    const rules: Rule[] = [
      { system: "You are the helper", turn: { calls: [{ name: "ask_helper", arguments: { task: "You" } }] } },
      { role: "user", turn: { calls: [{ name: "ask_helper", arguments: { task: "You" } }] } },
      { turn: { text: "Enough." } },
    ];
    const { last } = await run(rules);
    expect(last.type).toBe("RUN_FINISHED");
    expect(model.requests.length).toBeLessThanOrEqual(13);
  });
});

it("a hostile run leaves nothing behind: the next one is answered", async () => {
  const { last } = await run([{ turn: { text: "All is well." } }]);
  expect(last.result).toMatchObject({ message: "All is well.", limited: false });
});
