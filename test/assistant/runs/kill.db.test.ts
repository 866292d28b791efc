/** kill -9 in the middle of runs: each ends in a defined state, and its stream goes on elsewhere without gap or repeat. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { startWholeServer, until, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";
import { allOf, openStream, type Received } from "./stream.ts";

let server: WholeServer;
let model: ScriptedModel;
const children: ChildProcess[] = [];

beforeAll(async () => {
  model = await startScriptedModel([
    {
      role: "user",
      last: "tool",
      turn: { text: "Looking. ", calls: [{ name: "unit__look", arguments: {} }] },
    },
    { turn: { text: "a b c d e f g h i j k l m n o p q r s t", tokenMs: 40 } },
  ]);
  server = await startWholeServer({
    replaced: { runs: testPorts(model.url), tools: testTools() },
    workers: "on",
    configure(config) {
      config.assistant.titles = "message";
      // Runs are left to the process that is killed, and only their rests come here.
      config.assistant.parallelRuns = 100;
    },
  });
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await server.close();
  await model.close();
});

async function startVictim(): Promise<{ child: ChildProcess; url: string }> {
  const file = new URL("killed-process.ts", import.meta.url).pathname;
  const given = JSON.stringify({ connection: server.db.connection, model: model.url });
  const child = spawn(process.execPath, [file, given], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [line] = await once(child.stdout, "data");
  return { child, url: String(line).trim() };
}

/** Reads until the connection breaks. */
async function readWhatComes(url: string, message: string): Promise<Received[]> {
  const seen: Received[] = [];
  try {
    const stream = await openStream(`${url}/api/assistant/v2/task`, { body: { message } });
    for await (const record of stream.records) seen.push(record);
  } catch {
    // Killed.
  }
  return seen;
}

it("leaves no run undefined and no stream with a gap", { timeout: 120_000 }, async () => {
  const { child, url } = await startVictim();
  const messages = Array.from({ length: 10 }, (_, index) =>
    index % 2 === 0 ? `tool ${index}` : `talk ${index}`,
  );
  const reading = messages.map(async (message, index) => {
    await new Promise((done) => setTimeout(done, index * 60));
    return readWhatComes(url, message);
  });
  await new Promise((done) => setTimeout(done, 700));
  child.kill("SIGKILL");
  const before = await Promise.all(reading);
  const began = before.filter((seen) => seen.length > 0);
  expect(began.length).toBeGreaterThan(5);
  for (const seen of began) {
    const runId = seen[0]?.data.runId;
    const { body } = await until(
      () => server.assistant({ path: `/runs/${runId}` }),
      (answer) => ["completed", "interrupted"].includes(answer.body.status),
    );
    const rest = await openStream(`${server.url}/api/assistant/v2/runs/${runId}/events`, {
      method: "GET",
      headers: { "last-event-id": seen.at(-1)?.id ?? "" },
    });
    const all = [...seen, ...(rest.status === 200 ? await allOf(rest) : [])];
    expect(all.map(({ id }) => Number(id))).toEqual(all.map((_, index) => index + 1));
    const whole = await allOf(
      await openStream(`${server.url}/api/assistant/v2/runs/${runId}/events`, { method: "GET" }),
    );
    expect(whole.map(({ text }) => text)).toEqual(all.map(({ text }) => text));
    const last = all.at(-1);
    expect(last?.event).toBe(body.status === "completed" ? "RUN_FINISHED" : "RUN_ERROR");
    const kept = await server.db.database.pool.query("select answer from assistant_runs where id = $1", [
      runId,
    ]);
    const said = all.findLastIndex(({ event }) => event === "TEXT_MESSAGE_START");
    const text = all
      .slice(said === -1 ? all.length : said)
      .flatMap(({ event, data }) => (event === "TEXT_MESSAGE_CONTENT" ? [data.delta] : []))
      .join("");
    expect(kept.rows[0].answer).toBe(text);
  }
});
