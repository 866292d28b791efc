/** What a run does at its limits: one closing step without tools, calls that are not made, answers that are cut. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RunSettings } from "../../../src/assistant/settings.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import type { ChatRequest, Turn } from "../../support/scripted-model/script.ts";
import { startWholeServer, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";
import { allOf, openStream, type Received } from "./stream.ts";

let server: WholeServer | undefined;
let model: ScriptedModel;
const tools = testTools();

beforeAll(async () => {
  model = await startScriptedModel([]);
});
afterAll(() => model.close());
beforeEach(() => {
  tools.calls.length = 0;
  model.requests.length = 0;
});
afterEach(() => server?.close());

async function start(
  budgets: Partial<RunSettings["budgets"]> = {},
  titles: RunSettings["titles"] = "message",
): Promise<void> {
  server = await startWholeServer({
    replaced: { runs: testPorts(model.url), tools },
    configure(config) {
      config.assistant.titles = titles;
      Object.assign(config.assistant.budgets, budgets);
    },
  });
}

const task = async (message: string): Promise<Received[]> =>
  allOf(await openStream(`${server!.url}/api/assistant/v2/task`, { body: { message } }));
const resultOf = (records: readonly Received[]): any => records.at(-1)?.data.result;
const results = (records: readonly Received[]): string[] =>
  records.filter(({ event }) => event === "TOOL_CALL_RESULT").map(({ data }) => data.content);
const isClosing = ({ messages }: ChatRequest): boolean =>
  messages[0]?.content?.includes("A limit of this run was reached") === true;

/** Calls as often as it may, each time with other arguments; `closing` is what it says at a limit. */
const eager = (callsAtOnce: number, closing: Turn, more: Turn = {}) => {
  let n = 0;
  model.follow((request) => {
    if (isClosing(request)) return closing;
    const calls = Array.from({ length: callsAtOnce }, () => ({
      name: "unit__look",
      arguments: { n: (n += 1) },
    }));
    return { text: "Looking.", calls, ...more };
  });
};

describe("the closing step", () => {
  it.each<[string, Partial<RunSettings["budgets"]>, string]>([
    ["steps", { steps: 3 }, "steps"],
    ["tool calls", { toolCalls: 3 }, "tool calls"],
    ["tokens", { tokens: 60 }, "tokens"],
  ])("answers at the limit of %s, without tools", async (_, budgets, limit) => {
    await start(budgets);
    eager(2, { text: "This much I know." });
    const records = await task("Go on");
    expect(resultOf(records)).toMatchObject({
      message: "This much I know.",
      limited: true,
      truncated: false,
    });
    const closing = model.requests.filter(({ body }) => isClosing(body));
    expect(closing).toHaveLength(1);
    const body = closing[0]!.body;
    expect(body.tools ?? []).toEqual([]);
    expect(body.messages[0]?.content).toContain(`reached (${limit})`);
    // The results are there as text, which every provider takes in a request without tools.
    expect(body.messages.every(({ role, tool_calls: calls }) => role !== "tool" && calls === undefined)).toBe(
      true,
    );
    expect(body.messages.at(-1)?.content).toMatch(/Result of your call of unit__look/);
  });

  it("answers at the limit of time, and ends what is under way", async () => {
    model.follow((request) => {
      if (isClosing(request)) return { text: "It took too long." };
      // The helper is still asked when the time is over.
      if (request.messages[0]?.content?.includes("You are the helper") === true)
        return { text: "More ", endless: true, tokenMs: 20 };
      return {
        calls: [
          { name: "unit__slow", arguments: {} },
          { name: "ask_helper", arguments: { task: "x" } },
        ],
      };
    });
    let records: Received[] = [];
    // The limit is to come while both are under way, which takes longer on a busy machine.
    for (const timeMs of [1_500, 6_000, 24_000, 96_000]) {
      await start({ timeMs });
      records = await task("Wait");
      if (records.some(({ event }) => event === "STEP_STARTED")) break;
      await server!.close();
    }
    expect(resultOf(records)).toMatchObject({ message: "It took too long.", limited: true });
    expect(
      results(records).filter((text) => text.includes("a limit of the run was reached (time)")),
    ).toHaveLength(2);
    const steps = records.filter(({ event }) => event.startsWith("STEP_"));
    expect(steps.map(({ event }) => event).filter((event) => event === "STEP_STARTED").length).toBe(
      steps.filter(({ event }) => event === "STEP_FINISHED").length,
    );
  });

  it("speaks for a sub-agent that reached the limit", async () => {
    await start({ steps: 4 });
    model.follow((request) => {
      if (isClosing(request)) return { text: "The helper found something." };
      if (request.messages[0]?.content?.includes("You are the helper") === true)
        return {
          text: "Found 7.",
          calls: [{ name: "unit__look", arguments: { n: request.messages.length } }],
        };
      return { calls: [{ name: "ask_helper", arguments: { task: "Find it" } }] };
    });
    const records = await task("Ask");
    expect(resultOf(records)).toMatchObject({ message: "The helper found something.", limited: true });
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("Found 7.");
  });

  it.each<[string, Turn]>([
    ["is refused", { status: 401 }],
    ["breaks off", { text: "Half of", cutAfter: 1 }],
    ["says nothing", { text: "" }],
  ])("leaves the best answer so far when it %s", async (_, closing) => {
    await start({ steps: 2 });
    eager(1, closing);
    expect(resultOf(await task("Go on"))).toMatchObject({ message: "Looking.", limited: true });
  });

  it("is not taken by a run that ends by itself in its last step", async () => {
    await start({ steps: 2 });
    model.follow([
      { role: "user", turn: { calls: [{ name: "unit__look", arguments: {} }] } },
      { turn: { text: "Done." } },
    ]);
    expect(resultOf(await task("Look"))).toMatchObject({ message: "Done.", limited: false });
  });
});

describe("the limit of time", () => {
  it("that ends while the title is made leaves the answer as it is, under the question", async () => {
    await start({ timeMs: 2_000 }, "model");
    model.follow((request) =>
      request.messages[0]?.content?.startsWith("Write a title") === true
        ? { delayMs: 60_000, text: "Late" }
        : { text: "Good morning" },
    );
    const records = await task("Hello");
    expect(records.at(-1)?.event).toBe("RUN_FINISHED");
    expect(resultOf(records)).toMatchObject({ message: "Good morning", title: "Hello" });
  });

  it("counts the time before an approval as well", async () => {
    model.follow((request) => {
      if (isClosing(request)) return { text: "It took too long." };
      const isAsked = request.messages.at(-1)?.role === "tool";
      return isAsked
        ? { delayMs, text: "Removed." }
        : { delayMs, calls: [{ name: "unit__remove", arguments: {} }] };
    });
    let delayMs = 0;
    let limited: boolean | undefined;
    // Each part is to fit into the limit, which takes longer on a busy machine.
    for (const timeMs of [2_000, 8_000, 32_000, 128_000]) {
      delayMs = timeMs * 0.7;
      await start({ timeMs });
      const stream = await openStream(`${server!.url}/api/assistant/v2/task`, {
        body: { message: "Remove" },
      });
      const records: Received[] = [];
      for await (const record of stream.records) {
        records.push(record);
        if (record.data.name !== "approval_required") continue;
        const path = `/runs/${records[0]!.data.runId}/approvals/${record.data.value.approval_id}`;
        await server!.assistant({ method: "POST", path, body: { approved: true } });
      }
      limited = resultOf(records).limited;
      if (records.some(({ data }) => data.name === "approval_required")) break;
      await server!.close();
    }
    expect(limited).toBe(true);
  });
});

describe("calls over a limit are reported to model and client", () => {
  const dropped = (records: readonly Received[]): any[] =>
    records.filter(({ data }) => data.name === "calls_dropped").map(({ data }) => data.value);

  it("of the run", async () => {
    await start({ toolCalls: 3 });
    let turns = 0;
    model.follow(() =>
      (turns += 1) > 1
        ? { text: "Enough." }
        : { calls: [1, 2, 3, 4, 5].map((n) => ({ name: "unit__look", arguments: { n } })) },
    );
    const records = await task("Look five times");
    expect(tools.calls).toHaveLength(3);
    const reported = results(records).filter((text) => text.includes("was not made"));
    expect(reported).toHaveLength(2);
    expect(dropped(records)).toEqual([
      { limit: "tool calls", count: 2, tool_call_ids: [expect.any(String), expect.any(String)] },
    ]);
    const sent = model.requests[1]?.body.messages ?? [];
    expect(sent.filter(({ role }) => role === "tool")).toHaveLength(5);
    expect(resultOf(records)).toMatchObject({ message: "Enough.", limited: false });
  });

  it("of one answer", async () => {
    await start({ toolCalls: 1_000 });
    let turns = 0;
    model.follow(() =>
      (turns += 1) > 1
        ? { text: "Enough." }
        : { calls: Array.from({ length: 131 }, (__, n) => ({ name: "unit__look", arguments: { n } })) },
    );
    const records = await task("Look often");
    expect(tools.calls).toHaveLength(128);
    expect(dropped(records)).toEqual([{ limit: "calls of one answer", count: 3, tool_call_ids: [] }]);
    const sent = model.requests[1]?.body.messages ?? [];
    expect(sent.filter(({ role }) => role === "tool")).toHaveLength(128);
    expect(sent.at(-1)?.content).toMatch(/3 more calls of your answer were not made/);
  });
});

describe("an answer that the model cut", () => {
  const cut = [{ turn: { text: "The first half", finish: "length" } }];
  const v1 = async (path: string, body: object): Promise<any> => {
    const stream = await openStream(`${server!.url}/api/assistant/v1/${path}`, {
      body: { model: "main", ...body },
    });
    return stream.body ?? (await allOf(stream));
  };

  it("says so in every protocol", async () => {
    await start();
    model.follow(cut);
    const result = resultOf(await task("Tell me"));
    expect(result).toMatchObject({ message: "The first half", limited: false, truncated: true });
    const messages = [{ role: "user", content: "Tell me" }];
    const whole = await v1("chat/completions", { messages });
    expect(whole.choices[0].finish_reason).toBe("length");
    const chunks: Received[] = await v1("chat/completions", { messages, stream: true });
    expect(chunks.flatMap(({ data }) => data.choices?.[0]?.finish_reason ?? [])).toEqual(["length"]);
    const response = await v1("responses", { input: "Tell me" });
    expect(response).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
    const events: Received[] = await v1("responses", { input: "Tell me", stream: true });
    expect(events.at(-1)?.event).toBe("response.incomplete");
    const ui = await openStream(`${server!.url}/api/assistant/v2/task?format=ui`, { body: { message: "x" } });
    const finish = (await allOf(ui)).find(({ data }) => data.type === "finish");
    expect(finish?.data).toEqual({
      type: "finish",
      messageMetadata: { limited: false, truncated: true },
    });
  });
});
