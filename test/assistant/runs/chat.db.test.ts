/** `plinth chat` against a server: a conversation, an approval, and Ctrl-C in the middle of an answer. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { run, type RunOptions } from "../../../src/cli/testdata.ts";
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

const chat = (args: string[], options: RunOptions = {}) =>
  run(["chat", ...args, "--url", server.url, "--token", tokenOf("admin")], options);

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
  const talking = chat(["talk"], { signal: stop.signal });
  const asked = model.requests.length;
  await expect.poll(() => model.requests.length).toBeGreaterThan(asked);
  stop.abort();
  const { code, err } = await talking;
  expect(code).toBe(130);
  expect(err).toContain("Cancelled.");
  const statuses = async (): Promise<unknown[]> => {
    const sql = "select status from assistant_runs where message = 'talk'";
    const { rows } = await server.db.database.pool.query(sql);
    return rows;
  };
  await expect.poll(statuses).toEqual([{ status: "cancelled" }]);
  await expect.poll(() => model.requests.at(-1)?.isCut).toBe(true);
});
