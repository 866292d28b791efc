/** How runs end in spite of what models answer: texts that no database stores, endless titles, agents that have gone. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { startWholeServer, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";
import { allOf, openStream, readUntil, type Received } from "./stream.ts";

let server: WholeServer;
let model: ScriptedModel;
const tools = testTools();
/** Whether every agent has been deleted. */
let isGone = false;

beforeAll(async () => {
  model = await startScriptedModel([]);
  const ports = testPorts(model.url);
  server = await startWholeServer({
    replaced: {
      tools,
      runs: { ...ports, loadAgent: async (id) => (isGone ? null : ports.loadAgent(id)) },
    },
    configure(config) {
      config.assistant.models.contextTokens = 4_000;
    },
  });
});
afterAll(async () => {
  await server.close();
  await model.close();
});
beforeEach(() => {
  isGone = false;
  tools.calls.length = 0;
  model.requests.length = 0;
});

const task = async (message: string, more: object = {}): Promise<Received[]> =>
  allOf(await openStream(`${server.url}/api/assistant/v2/task`, { body: { message, ...more } }));
const saidIn = (records: readonly Received[]): string =>
  records.map(({ event, data }) => (event === "TEXT_MESSAGE_CONTENT" ? data.delta : "")).join("");

describe("NUL characters, which PostgreSQL does not store,", () => {
  it("are replaced in an answer and in a title", async () => {
    model.follow([
      { system: "Write a title", turn: { tokens: ["A\u0000 title"] } },
      { turn: { tokens: ["a\u0000b ", "\ud83d", "\ude00"] } },
    ]);
    const records = await task("Hello");
    expect(records.at(-1)?.data.result).toMatchObject({
      message: "a\ufffdb \u{1f600}",
      title: "A\ufffd title",
    });
    expect(saidIn(records)).toBe("a\ufffdb \u{1f600}");
  });

  it("are replaced in a summary", async () => {
    model.follow([
      { system: "Write a title", turn: { text: "A title" } },
      { system: "Summarise", turn: { tokens: ["sum\u0000mary"] } },
      { turn: { text: "Good morning" } },
    ]);
    let sessionId: string | null = null;
    for (let n = 0; n < 6; n += 1) {
      const records = await task(`${n} ${"word ".repeat(400)}`, { session_id: sessionId });
      expect(records.at(-1)?.data.result?.message).toBe("Good morning");
      sessionId = records.at(-1)!.data.result.session_id;
    }
    expect(JSON.stringify(model.requests.at(-1)!.body.messages)).toContain("sum\ufffdmary");
  });

  it("are allowed in calls: in names, arguments and what the user is asked about", async () => {
    model.follow([
      { system: "Write a title", turn: { text: "A title" } },
      {
        role: "user",
        turn: {
          calls: [
            { name: "unit__\u0000", arguments: {} },
            { name: "unit__look", arguments: "\u0000" },
            { name: "unit__remove", arguments: { what: "a\u0000b" } },
          ],
        },
      },
      { turn: { text: "Good morning" } },
    ]);
    const stream = await openStream(`${server.url}/api/assistant/v2/task`, { body: { message: "Go" } });
    const { data: started } = await readUntil(stream, ({ event }) => event === "RUN_STARTED");
    const { data: required } = await readUntil(stream, ({ data }) => data.name === "approval_required");
    const path = `/runs/${started.runId}/approvals/${required.value.approval_id}`;
    await server.assistant({ method: "POST", path, body: { approved: true } });
    expect((await allOf(stream)).at(-1)?.data.result.message).toBe("Good morning");
    expect(tools.calls.map(({ name }) => name)).toEqual(["remove"]);
  });

  it("that a log has already do not keep its run from ending", async () => {
    const idle = await startWholeServer({ workers: "off", replaced: { runs: testPorts(model.url), tools } });
    const stream = await openStream(`${idle.url}/api/assistant/v2/task`, { body: { message: "Hello" } });
    const { data } = await readUntil(stream, ({ event }) => event === "RUN_STARTED");
    const said = [
      { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "a\u0000b" },
    ];
    await idle.db.database.pool.query(
      "insert into assistant_run_events (run_id, first_seq, last_seq, events) values ($1, 2, 3, $2)",
      [data.runId, said.map((event) => JSON.stringify(event)).join("\n")],
    );
    const cancelled = await idle.assistant({ method: "POST", path: `/runs/${data.runId}/cancel` });
    expect(cancelled.status, cancelled.text).toBe(200);
    const { body } = await idle.assistant({ path: `/sessions/${data.threadId}/messages` });
    expect(body.data.map(({ content }: { content: string }) => content)).toEqual(["Hello", "a\ufffdb"]);
    stream.close();
    await idle.close();
  });
});

describe("a title", () => {
  it("that is a long text costs no time, and its beginning is taken", async () => {
    const dots = ".".repeat(1_000_000);
    model.follow([
      { system: "Write a title", turn: { tokens: [`Quay${dots}x`] } },
      { turn: { text: "Good morning" } },
    ]);
    const records = await task("Hello");
    expect(records.at(-1)?.data.result).toMatchObject({ message: "Good morning", title: "Quay" });
  });

  it("that goes on for ever is not read to its end", async () => {
    model.follow([
      { system: "Write a title", turn: { tokens: ["A harbour "], endless: true } },
      { turn: { text: "Good morning" } },
    ]);
    const records = await task("Hello");
    expect(records.at(-1)?.data.result.title).toMatch(/^A harbour A harbour .*…$/);
    await expect.poll(() => model.requests.at(-1)?.isCut).toBe(true);
  });
});

it("the end of an agent that has gone meanwhile is written in the stream as well", async () => {
  model.follow([
    { system: "Write a title", turn: { text: "A title" } },
    { role: "user", turn: { calls: [{ name: "unit__remove", arguments: { what: "x" } }] } },
  ]);
  const stream = await openStream(`${server.url}/api/assistant/v2/task`, { body: { message: "Remove x" } });
  const { data: started } = await readUntil(stream, ({ event }) => event === "RUN_STARTED");
  const { data: required } = await readUntil(stream, ({ data }) => data.name === "approval_required");
  isGone = true;
  const path = `/runs/${started.runId}/approvals/${required.value.approval_id}`;
  await server.assistant({ method: "POST", path, body: { approved: true } });
  const records = await allOf(stream);
  expect(records.at(-1)?.data.result.message).toBe("This agent is not available any more.");
  expect(saidIn(records)).toBe("This agent is not available any more.");
  expect(tools.calls).toEqual([]);
});
