/** Places of runs go to those who have the fewest at work; titles cost clients nothing; a history has a limit of its own. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { startWholeServer, tokenOf, type TestRole, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";
import { openStream, readUntil, type OpenedStream } from "./stream.ts";

let server: WholeServer;
let model: ScriptedModel;

beforeAll(async () => {
  model = await startScriptedModel([]);
  server = await startWholeServer({
    replaced: { runs: testPorts(model.url), tools: testTools() },
    configure: (config) => void (config.assistant.parallelRuns = 2),
  });
});
afterAll(async () => {
  await server.close();
  await model.close();
});
beforeEach(() => {
  model.requests.length = 0;
});

const task = (message: string, as: TestRole): Promise<OpenedStream> =>
  openStream(`${server.url}/api/assistant/v2/task`, { body: { message }, as });
const runIdOf = async (stream: OpenedStream): Promise<string> =>
  (await readUntil(stream, ({ event }) => event === "RUN_STARTED")).data.runId;

it("lets one user with many runs keep nobody waiting, and says what a run waits for", async () => {
  let answers = 0;
  // The first two go on until all the others are there.
  model.follow(({ messages }) =>
    messages[0]?.content?.startsWith("Write a title") === true
      ? { text: "T" }
      : { text: "one two three four", tokenMs: answers++ < 2 ? 1_500 : 120 },
  );
  const many = await Promise.all(Array.from({ length: 8 }, (_, n) => task(`Many ${n}`, "admin")));
  const ids = await Promise.all(many.map(runIdOf));
  const reasons = async (): Promise<string[]> => {
    const runs = await Promise.all(ids.map((id) => server.assistant({ path: `/runs/${id}` })));
    return runs.flatMap(({ body }) => body.waiting ?? []);
  };
  await expect
    .poll(reasons)
    .toContain(
      "It waits for a free place: 2 of your runs are at work, and runs of those who have fewer go first.",
    );
  const other = await task("One", "developer");
  const ends: string[] = [];
  const watch = async (name: string, stream: OpenedStream): Promise<void> => {
    await readUntil(stream, ({ event }) => event === "RUN_FINISHED");
    ends.push(name);
  };
  await Promise.all([...many.map((stream) => watch("many", stream)), watch("other", other)]);
  // Two were at work when it came; each of the next free places could have been given to one more of them.
  expect(ends.indexOf("other")).toBeLessThan(5);
});

it("counts no title in what clients are shown, and keeps it apart", async () => {
  model.follow(({ messages }) =>
    messages[0]?.content?.startsWith("Write a title") === true
      ? { text: "A title", usage: { prompt_tokens: 700, completion_tokens: 70 } }
      : { text: "Yes", usage: { prompt_tokens: 5, completion_tokens: 1 } },
  );
  const completion = await openStream(`${server.url}/api/assistant/v1/chat/completions`, {
    body: { model: "main", messages: [{ role: "user", content: "Titled?" }] },
    as: "viewer",
  });
  expect(model.requests).toHaveLength(2);
  expect(completion.body.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 });
  const response = await openStream(`${server.url}/api/assistant/v1/responses`, {
    body: { model: "main", input: "Titled?" },
    as: "viewer",
  });
  expect(response.body.usage).toMatchObject({ input_tokens: 5, output_tokens: 1, total_tokens: 6 });
  const { body } = await server.assistant({ path: "/usage?by=agent", as: "viewer" });
  const used = Object.fromEntries(body.data.map((row: any) => [row.key, row.input_tokens]));
  expect(used).toEqual({ main: 10, "plinth (titles)": 1_400 });
});

describe("the limit of 10,000 characters", () => {
  const history = [
    { role: "user", content: `oldest ${"x".repeat(40_000)}` },
    { role: "assistant", content: `${"y".repeat(40_000)} latest` },
  ];
  const send = async (path: string, body: object): Promise<number> => {
    const response = await fetch(`${server.url}/api/assistant/v1/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${tokenOf("admin")}` },
      body: JSON.stringify({ model: "main", ...body }),
    });
    await response.text();
    return response.status;
  };

  it.each([
    ["chat/completions", "messages"],
    ["responses", "input"],
  ])("counts the new message of %s alone; the history comes as messages", async (path, field) => {
    model.follow([{ turn: { text: "Yes" } }]);
    const longest = { role: "user", content: "z".repeat(10_000) };
    expect(await send(path, { [field]: [...history, longest] })).toBe(200);
    const given = JSON.stringify(model.requests[0]?.body.messages);
    expect(given).toContain("latest");
    expect(given).toContain("oldest");
    const longer = { role: "user", content: "z".repeat(10_001) };
    const refused = await send(path, { [field]: [...history, longer] });
    expect([400, 422]).toContain(refused);
  });
});
