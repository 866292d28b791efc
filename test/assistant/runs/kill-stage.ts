/** Runs in processes that are killed, and a server that goes on with them. */
import type { ChildProcess } from "node:child_process";
import { expect } from "vitest";
import type { Config } from "../../../src/platform/config/schema/schema.ts";
import { testDatabase } from "../../support/database.ts";
import type { Script } from "../../support/scripted-model/script.ts";
import { startScriptedModel } from "../../support/scripted-model/server.ts";
import { startWholeServer, until, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";
import { allOf, openStream, type Received } from "./stream.ts";
import { startVictim } from "./victim.ts";

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

export interface Asked {
  kind: string;
  seen: Received[];
  done: Promise<void>;
}

/** Asks, and reads until the connection breaks. */
export function ask(url: string, kind: string, sessionId: string | null = null): Asked {
  const seen: Received[] = [];
  const read = async (): Promise<void> => {
    const body = { message: kind, session_id: sessionId };
    const stream = await openStream(`${url}/api/assistant/v2/task`, { body });
    for await (const record of stream.records) seen.push(record);
  };
  return { kind, seen, done: read().catch(() => {}) };
}

export const has = ({ seen }: Asked, event: string): boolean => seen.some((record) => record.event === event);
export const isUnderWay = (asked: Asked): boolean => {
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

export type KillStage = Awaited<ReturnType<typeof openKillStage>>;

export async function openKillStage() {
  // Nothing that talks has ended when the process is killed, however long the machine takes until then.
  const model = await startScriptedModel(script(true));
  const db = await testDatabase();
  const { pool } = db.database;
  let victim: ChildProcess | undefined;
  let survivor: WholeServer | undefined;

  /** Starts a process; the one before it is killed first. */
  async function startNext(): Promise<{ child: ChildProcess; url: string }> {
    const next = await startVictim(db, model.url);
    victim?.kill("SIGKILL");
    victim = next.child;
    return next;
  }

  /** A process of its own, with an endless answer under way in it. */
  async function talkInProcess(): Promise<Asked> {
    await survivor?.close();
    survivor = undefined;
    model.follow(script(true));
    const { url } = await startNext();
    const asked = ask(url, "talk");
    await expect.poll(() => has(asked, "TEXT_MESSAGE_CONTENT"), { interval: 20 }).toBe(true);
    return asked;
  }

  /** Kills the process that has the run, once another one is there to repeat its turn. */
  async function killAndRepeat(asked: Asked, repeats: number): Promise<void> {
    await startNext();
    await asked.done;
    const query = "select string_agg(events, '') as events from assistant_run_events where run_id = $1";
    const count = async (): Promise<number> => {
      const { rows } = await pool.query(query, [asked.seen[0]!.data.runId]);
      return (rows[0].events as string).split('"turn_repeated"').length - 1;
    };
    await expect.poll(count, { interval: 20 }).toBe(repeats);
  }

  /** Kills the process and starts a server, whose model comes to an end. */
  async function survive(): Promise<WholeServer> {
    victim?.kill("SIGKILL");
    model.follow(script(false));
    return (survivor = await startWholeServer({
      // Needed by the other tests; the end drops it.
      db: { ...db, drop: async () => {} },
      replaced: { runs: testPorts(model.url), tools: testTools() },
      configure,
    }));
  }

  /** How many runs have stored that their tool is being called. */
  async function underWay(tool: string, fence: number): Promise<number> {
    const query = "select 1 from assistant_runs where acting::text like $1 and repeatable_fence = $2";
    const { rows } = await pool.query(query, [`%unit__${tool}%`, fence]);
    return rows.length;
  }

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

  /** Calls of the model in the usage, each with tokens of its own, whose sum the run's end says. */
  async function usesOf(server: WholeServer, asked: Asked): Promise<number> {
    const runId = asked.seen[0]!.data.runId as string;
    const query =
      "select input_tokens::int as i, output_tokens::int as o from assistant_usage where run_id = $1";
    const { rows } = await pool.query(query, [runId]);
    expect(rows.every(({ i, o }) => i > 0 && o > 0)).toBe(true);
    const path = `${server.url}/api/assistant/v2/runs/${runId}/events`;
    const end = (await allOf(await openStream(path, { method: "GET" }))).at(-1)?.data.result.usage;
    expect(end.output_tokens).toBe(rows.reduce((sum: number, { o }) => sum + o, 0));
    return rows.length;
  }

  async function storedAnswer(runId: string): Promise<string> {
    const sql = "select answer from assistant_runs where id = $1";
    const { rows } = await pool.query(sql, [runId]);
    return rows[0].answer;
  }

  const stop = (): void => void victim?.kill("SIGTERM");
  const close = async (): Promise<void> => {
    victim?.kill("SIGKILL");
    await survivor?.close();
    await model.close();
    await db.drop();
  };
  return { startNext, talkInProcess, killAndRepeat, survive, underWay, followToEnd, usesOf, stop, close };
}

/** What the stream has shown of the last message. */
function lastMessage(all: readonly Received[]): string {
  const start = all.findLastIndex(({ event }) => event === "TEXT_MESSAGE_START");
  return all
    .slice(start === -1 ? all.length : start)
    .flatMap(({ event, data }) => (event === "TEXT_MESSAGE_CONTENT" ? [data.delta] : []))
    .join("");
}
