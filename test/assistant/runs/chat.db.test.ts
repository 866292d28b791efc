/** `plinth chat` against a server: a conversation, an approval, and Ctrl-C in the middle of an answer. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runCli } from "../../../src/cli/program.ts";
import { run, silentCli, type RunOptions } from "../../../src/cli/testdata.ts";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import { tokenOf, type WholeServer } from "../../support/server.ts";
import { testTools } from "./agents.ts";
import type { Script } from "../../support/scripted-model/script.ts";
import { startModelServer } from "../model-server.ts";

let server: WholeServer;
let model: ScriptedModel;
const tools = testTools();

beforeAll(async () => {
  const script: Script = [
    { role: "user", last: "remove", turn: { calls: [{ name: "unit__remove", arguments: { what: "it" } }] } },
    { role: "user", last: "talk", turn: { text: "on and", tokenMs: 20, endless: true } },
    { role: "tool", turn: { text: "It is gone." } },
    { turn: { text: "Good morning" } },
  ];
  ({ server, model } = await startModelServer(script, { tools }));
});
afterAll(() => server.close());
beforeEach(() => {
  tools.calls.length = 0;
});

const line = (args: string[]): string[] => [
  "chat",
  ...args,
  "--url",
  server.url,
  "--token",
  tokenOf("admin"),
];
const chat = (args: string[], options: RunOptions = {}) => run(line(args), options);

it("answers, and goes on with the conversation", async () => {
  const lines = ["Hello", "Again"];
  const { code, out } = await chat([], { answer: () => lines.shift() ?? null });
  expect([code, out]).toEqual([0, "Good morning\nGood morning\n"]);
  expect(model.requests.at(-1)?.body.messages.map(({ content }) => content)).toContain("Hello");
});

it.each([
  ["y", 1],
  ["n", 0],
])("asks before a tool changes something: %s", async (said, calls) => {
  const questions: string[] = [];
  const answer = (question: string): string => {
    questions.push(question);
    return said;
  };
  const { code, out } = await chat(["remove it"], { answer });
  expect([code, out]).toEqual([0, "It is gone.\n"]);
  expect(questions).toEqual(['Allow unit:remove {"what":"it"}? [y/N] ']);
  expect(tools.calls).toHaveLength(calls);
});

it("cancels the run on Ctrl-C, and with it the call of the model", async () => {
  const stop = new AbortController();
  const printed = { out: "", err: "" };
  const cli = silentCli();
  cli.signal = stop.signal;
  cli.out.write = (text) => void (printed.out += text);
  cli.err.write = (text) => void (printed.err += text);
  const talking = runCli(line(["talk"]), cli);
  await expect.poll(() => printed.out).toContain("on");
  stop.abort();
  expect(await talking).toBe(130);
  expect(printed.err).toContain("Cancelled.");
  const statuses = async (): Promise<unknown[]> => {
    const sql = "select status from assistant_runs where message = 'talk'";
    const { rows } = await server.db.database.pool.query(sql);
    return rows;
  };
  await expect.poll(statuses).toEqual([{ status: "cancelled" }]);
  await expect.poll(() => model.requests.at(-1)?.isCut).toBe(true);
});
