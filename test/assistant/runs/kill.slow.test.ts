/** kill -9 in the middle of 50 runs: each ends in a defined state, and its stream goes on elsewhere without gap or repeat. */
import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Config } from "../../../src/platform/config/schema/schema.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import type { Script } from "../../support/scripted-model/script.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { startWholeServer, until, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";
import { allOf, openStream, type Received } from "./stream.ts";
import { startVictim } from "./victim.ts";

let db: TestDatabase;
let model: ScriptedModel;
let survivor: WholeServer | undefined;
let victim: ChildProcess | undefined;

const call = (name: string) => ({ text: "Now. ", calls: [{ name: `unit__${name}`, arguments: {} }] });

/** Each kind of run asks for its tool, and talks after it; or talks at once. */
const script = (isEndless: boolean): Script => [
  { role: "user", last: "look", turn: call("look") },
  // Those that never answer are called in the first process only.
  ...(isEndless ? [{ role: "user", last: "slow", turn: call("slow") }] : []),
  ...(isEndless ? [{ role: "user", last: "act", turn: call("act") }] : []),
  { role: "user", last: "remove", turn: call("remove") },
  { turn: { tokens: ["1 ", "2 ", "3 "], tokenMs: 40, endless: isEndless } },
];

function configure({ assistant }: Config): void {
  assistant.titles = "message";
  assistant.approvals.rules = [{ tool: "unit:act", decision: "auto" }];
}

beforeAll(async () => {
  // Nothing that talks has ended when the process is killed, however long the machine takes until then.
  model = await startScriptedModel(script(true));
  db = await testDatabase();
});
afterAll(async () => {
  victim?.kill("SIGKILL");
  await survivor?.close();
  await model.close();
  await db.drop();
});

interface Asked {
  kind: string;
  seen: Received[];
  done: Promise<void>;
}

/** Asks, and reads until the connection breaks. */
function ask(url: string, kind: string, sessionId: string | null = null): Asked {
  const seen: Received[] = [];
  const read = async (): Promise<void> => {
    const body = { message: kind, session_id: sessionId };
    const stream = await openStream(`${url}/api/assistant/v2/task`, { body });
    for await (const record of stream.records) seen.push(record);
  };
  return { kind, seen, done: read().catch(() => {}) };
}

const has = ({ seen }: Asked, event: string): boolean => seen.some((record) => record.event === event);
const isUnderWay = (asked: Asked): boolean => {
  if (asked.kind === "queued") return asked.seen.length === 1;
  if (asked.kind === "remove") return has(asked, "CUSTOM");
  return has(asked, asked.kind === "talk" ? "TEXT_MESSAGE_CONTENT" : "TOOL_CALL_END");
};

const ends: Record<string, string[]> = {
  // The model is asked again: no tool had acted.
  talk: ["completed"],
  // A tool that only reads is called again, or not, as the model likes; one that may have acted ends the run.
  look: ["completed"],
  slow: ["completed"],
  act: ["interrupted"],
  remove: ["completed"],
  queued: ["completed"],
};

it("leaves no run undefined and no stream with a gap", async () => {
  const { child, url } = await startVictim(db, model.url);
  victim = child;
  const kinds = ["talk", "talk", "look", "slow", "act", "remove"];
  const asked = Array.from({ length: 45 }, (_, n) => ask(url, kinds[n % kinds.length]!));
  const talking = asked.filter(({ kind }) => kind === "talk").slice(0, 5);
  await expect.poll(() => talking.every(({ seen }) => seen.length > 0)).toBe(true);
  asked.push(...talking.map(({ seen }) => ask(url, "queued", seen[0]?.data.threadId)));
  await expect.poll(() => asked.every(isUnderWay), { interval: 20 }).toBe(true);
  await expect.poll(() => underWay("act", 0), { interval: 20 }).toBe(7);
  child.kill("SIGKILL");
  await Promise.all(asked.map(({ done }) => done));
  expect(asked.some((each) => has(each, "RUN_FINISHED"))).toBe(false);
  model.follow(script(false));

  survivor = await startWholeServer({
    // Needed by the other tests; the end drops it.
    db: { ...db, drop: async () => {} },
    replaced: { runs: testPorts(model.url), tools: testTools() },
    configure,
  });
  for (const { kind, seen } of asked) {
    if (kind !== "remove") continue;
    const { value } = seen.find(({ event }) => event === "CUSTOM")!.data;
    const path = `/runs/${seen[0]!.data.runId}/approvals/${value.approval_id}`;
    const answer = await survivor.assistant({ method: "POST", path, body: { approved: true } });
    expect(answer.status).toBe(200);
  }
  await Promise.all(asked.map((each) => followToEnd(survivor!, each)));
});

/** How many runs have stored that their tool is being called. */
async function underWay(tool: string, fence: number): Promise<number> {
  const query = "select 1 from assistant_runs where acting::text like $1 and repeatable_fence = $2";
  const { rows } = await db.database.pool.query(query, [`%unit__${tool}%`, fence]);
  return rows.length;
}

/** A run that talks in a process, which has just shown some of it. */
async function talkIn(url: string): Promise<Asked> {
  const asked = ask(url, "talk");
  await expect.poll(() => has(asked, "TEXT_MESSAGE_CONTENT"), { interval: 20 }).toBe(true);
  return asked;
}

/** Kills the process that has the run, once another one is there to repeat its turn. */
async function killAndRepeat(asked: Asked, repeats: number): Promise<void> {
  const next = await startVictim(db, model.url);
  victim?.kill("SIGKILL");
  victim = next.child;
  await asked.done;
  const query = "select string_agg(events, '') as events from assistant_run_events where run_id = $1";
  const count = async (): Promise<number> => {
    const { rows } = await db.database.pool.query(query, [asked.seen[0]!.data.runId]);
    return (rows[0].events as string).split('"turn_repeated"').length - 1;
  };
  await expect.poll(count, { interval: 20, timeout: 20_000 }).toBe(repeats);
}

describe("a turn that is repeated", () => {
  beforeEach(async () => {
    await survivor?.close();
    survivor = undefined;
    model.follow(script(true));
    const { child, url } = await startVictim(db, model.url);
    victim = child;
    asked = await talkIn(url);
  });
  let asked: Asked;

  const survive = async (): Promise<WholeServer> => {
    victim?.kill("SIGKILL");
    model.follow(script(false));
    return (survivor = await startWholeServer({
      db: { ...db, drop: async () => {} },
      replaced: { runs: testPorts(model.url), tools: testTools() },
      configure,
    }));
  };

  it("may be killed as well", async () => {
    await killAndRepeat(asked, 1);
    const server = await survive();
    await followToEnd(server, asked);
    // A turn of which nothing was shown when its process died is not counted.
    const uses = await usesOf(server);
    expect([2, 3]).toContain(uses);
  });

  it("goes on elsewhere when its process is stopped", async () => {
    victim?.kill("SIGTERM");
    await asked.done;
    const server = await survive();
    await followToEnd(server, asked);
    expect(await usesOf(server)).toBe(2);
  });

  /** Calls of the model in the usage, each with tokens of its own, whose sum the run's end says. */
  async function usesOf(server: WholeServer): Promise<number> {
    const runId = asked.seen[0]!.data.runId as string;
    const query =
      "select input_tokens::int as i, output_tokens::int as o from assistant_usage where run_id = $1";
    const { rows } = await db.database.pool.query(query, [runId]);
    expect(rows.every(({ i, o }) => i > 0 && o > 0)).toBe(true);
    const path = `${server.url}/api/assistant/v2/runs/${runId}/events`;
    const end = (await allOf(await openStream(path, { method: "GET" }))).at(-1)?.data.result.usage;
    expect(end.output_tokens).toBe(rows.reduce((sum: number, { o }) => sum + o, 0));
    return rows.length;
  }

  it("is given up where every process dies with it", async () => {
    for (const repeats of [1, 2, 3]) await killAndRepeat(asked, repeats);
    const server = await survive();
    const path = `/runs/${asked.seen[0]!.data.runId}`;
    const { body } = await until(
      () => server.assistant({ path }),
      (answer) => ["completed", "interrupted"].includes(answer.body.status),
    );
    expect(body.status).toBe("interrupted");
  });
});

async function followToEnd(server: WholeServer, { kind, seen }: Asked): Promise<void> {
  const runId = seen[0]!.data.runId as string;
  const events = `${server.url}/api/assistant/v2/runs/${runId}/events`;
  const after = { "last-event-id": seen.at(-1)!.id };
  const rest = await allOf(await openStream(events, { method: "GET", headers: after }));
  const all = [...seen, ...rest];
  expect(all.map(({ id }) => Number(id))).toEqual(all.map((_, index) => index + 1));
  const whole = await allOf(await openStream(events, { method: "GET" }));
  expect(whole.map(({ text }) => text)).toEqual(all.map(({ text }) => text));
  const { body } = await until(
    () => server.assistant({ path: `/runs/${runId}` }),
    (answer) => ["completed", "interrupted"].includes(answer.body.status),
  );
  expect(ends[kind]).toContain(body.status);
  expect(all.at(-1)?.event).toBe(body.status === "completed" ? "RUN_FINISHED" : "RUN_ERROR");
  expect(await storedAnswer(runId)).toBe(lastMessage(all));
  // Whatever was repeated, no message and no call is left open, and no id is given twice.
  for (const [start, end, id] of [
    ["TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "messageId"],
    ["TOOL_CALL_START", "TOOL_CALL_END", "toolCallId"],
  ] as const) {
    const ids = (event: string): string[] =>
      all.flatMap((each) => (each.event === event ? [each.data[id]] : []));
    expect(new Set(ids(start)).size).toBe(ids(start).length);
    if (body.status === "completed") expect(ids(end)).toEqual(ids(start));
  }
}

async function storedAnswer(runId: string): Promise<string> {
  const sql = "select answer from assistant_runs where id = $1";
  const { rows } = await db.database.pool.query(sql, [runId]);
  return rows[0].answer;
}

/** What the stream has shown of the last message. */
function lastMessage(all: readonly Received[]): string {
  const start = all.findLastIndex(({ event }) => event === "TEXT_MESSAGE_START");
  return all
    .slice(start === -1 ? all.length : start)
    .flatMap(({ event, data }) => (event === "TEXT_MESSAGE_CONTENT" ? [data.delta] : []))
    .join("");
}
