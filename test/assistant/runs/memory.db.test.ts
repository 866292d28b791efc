/** What the next turn of a session knows of the tools and skills of those before, and what `/messages` shows of them. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import type { ChatMessage } from "../../support/scripted-model/script.ts";
import { startWholeServer, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";
import { openStream, readUntil } from "./stream.ts";

let server: WholeServer;
let model: ScriptedModel;
const tools = testTools();

beforeAll(async () => {
  model = await startScriptedModel([]);
  server = await startWholeServer({
    replaced: { runs: testPorts(model.url), tools },
    configure(config) {
      config.assistant.titles = "message";
      config.assistant.models.contextTokens = 8_000;
    },
  });
});
afterAll(async () => {
  await server.close();
  await model.close();
});
beforeEach(() => {
  tools.answer = () => "42 rows";
  model.requests.length = 0;
});

const ask = async (message: string, sessionId: string | null = null): Promise<any> => {
  const body = { message, session_id: sessionId };
  return (await server.assistant({ method: "POST", path: "/task/sync", body })).body;
};
const messagesOf = async (sessionId: string): Promise<any[]> =>
  (await server.assistant({ path: `/sessions/${sessionId}/messages?limit=100` })).body.data;
const sent = (): ChatMessage[] => model.requests.at(-1)!.body.messages;

const lookOnce = [
  {
    role: "user",
    last: "^Look",
    turn: { text: "Looking.", calls: [{ name: "unit__look", arguments: { at: "orders" } }] },
  },
  { role: "tool", turn: { text: "There are 42 rows." } },
  { turn: { text: "As I said." } },
];

it("gives the next turn the calls and results before it, as data under a new mark", async () => {
  model.follow(lookOnce);
  const { session_id } = await ask("Look at orders");
  await ask("How many were it?", session_id);
  const messages = sent().slice(1);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  const [, called, result, answered] = messages;
  expect(called).toMatchObject({
    content: "Looking.",
    tool_calls: [{ function: { name: "unit__look", arguments: '{"at":"orders"}' } }],
  });
  expect(result?.tool_call_id).toBe(called?.tool_calls?.[0]?.id);
  const system = sent()[0]?.content ?? "";
  const nonce = /<data-(\w+)/.exec(system)?.[1];
  expect(result?.content).toBe(
    `<data-${nonce} source="earlier result of unit__look">\n42 rows\n</data-${nonce}>`,
  );
  expect(answered?.content).toBe("There are 42 rows.");
});

it("shows them in the messages of the session, shortened", async () => {
  tools.answer = () => "x".repeat(30_000);
  model.follow(lookOnce);
  const { session_id } = await ask("Look at orders");
  const [question, answer] = await messagesOf(session_id);
  expect(question).toMatchObject({ role: "user", tool_calls: [], skills: [] });
  expect(answer.tool_calls).toEqual([
    {
      id: expect.stringMatching(/^call_/),
      name: "unit__look",
      arguments: '{"at":"orders"}',
      result: expect.stringMatching(/^x{2000}… \(shortened: \d+ characters\)$/),
    },
  ]);
});

it("tells the model the date, the user, the roles and the environments, as data", async () => {
  model.follow([{ turn: { text: "Yes." } }]);
  await ask("Who am I?");
  const system = sent()[0]?.content ?? "";
  const [, text] = /<data-(?:\w+) source="the present situation">\n([\s\S]*?)\n<\/data-/.exec(system) ?? [];
  expect(text?.split("\n")).toEqual([
    expect.stringMatching(/^date: \d{4}-\d\d-\d\d \(\w+day, UTC\)$/),
    "user: service:default/admin",
    "roles: admin",
    expect.stringMatching(/^environments: development/),
  ]);
});

it("keeps loaded skills loaded, with their tools", async () => {
  model.follow([
    {
      role: "user",
      last: "^Load",
      turn: { calls: [{ name: "load_skill", arguments: { name: "plans" } }] },
    },
    { turn: { text: "Fine." } },
  ]);
  const { session_id } = await ask("Load it");
  await ask("And now?", session_id);
  await ask("And later?", session_id);
  expect(sent()[0]?.content).toContain("Plans are read with explain.");
  const names = model.requests.at(-1)!.body.tools.map((tool) => tool.function.name);
  expect(names).toContain("unit__explain");
  expect(names).not.toContain("load_skill");
  expect((await messagesOf(session_id)).at(-1).skills).toEqual(["plans"]);
});

it("knows of a call that was under way when its run was cancelled", async () => {
  model.follow([
    { role: "user", last: "^Wait", turn: { calls: [{ name: "unit__slow", arguments: {} }] } },
    { turn: { text: "It was cancelled." } },
  ]);
  const stream = await openStream(`${server.url}/api/assistant/v2/task`, {
    body: { message: "Wait for it" },
  });
  const { data } = await readUntil(stream, ({ event }) => event === "RUN_STARTED");
  await expect.poll(() => tools.calls.at(-1)?.name).toBe("slow");
  await server.assistant({ method: "POST", path: `/runs/${data.runId}/cancel` });
  const [, cancelled] = await messagesOf(data.threadId);
  expect(cancelled).toMatchObject({
    role: "assistant",
    content: "",
    tool_calls: [{ name: "unit__slow", result: expect.stringContaining("There is no result") }],
  });
  await ask("What happened?", data.threadId);
  // Between a result and a question some models insist on an answer.
  const roles = ["system", "user", "assistant", "tool", "assistant", "user"];
  expect(sent().map(({ role }) => role)).toEqual(roles);
  expect(sent()[4]?.content).toBe("(There was no answer.)");
});

it("fits a long history of tools into the context, every result with its call", async () => {
  tools.answer = ({ arguments: given }) => `${String(given["n"])} `.repeat(4_000);
  const summaries: string[] = [];
  model.follow(({ messages }) => {
    const last = messages.at(-1)!;
    if (messages[0]?.content?.startsWith("Summarise") === true) {
      summaries.push(last.content ?? "");
      return { text: "They looked at numbers." };
    }
    const n = /^Look (\d+)/.exec(last.content ?? "")?.[1];
    return n === undefined
      ? { text: "Looked." }
      : {
          calls: [
            { name: "unit__look", arguments: { n } },
            { name: "unit__look", arguments: { n, again: 1 } },
          ],
        };
  });
  let sessionId: string | null = null;
  for (let n = 0; n < 9; n += 1) sessionId = (await ask(`Look ${n}`, sessionId)).session_id;
  expect(summaries.length).toBeGreaterThan(0);
  expect(summaries[0]).toContain("calls unit__look");
  for (const { body } of model.requests) {
    expect(JSON.stringify(body).length / 4).toBeLessThan(8_000);
    const called = body.messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
    const answered = body.messages.flatMap(({ tool_call_id: id }) => id ?? []);
    expect(answered).toEqual(called);
  }
});
