import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMockAdapter, type MockAdapter } from "../../src/adapters/mock/server.ts";
import { startPlinth, type Running } from "../../src/app.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { seededRandom, type Random } from "../crash/random.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { environment, part, request, templateId } from "./plan-fixtures.ts";
import { illegalMoves, storedEvents } from "./record.ts";

let db: TestDatabase;
let adapter: MockAdapter;
let plinth: Running;
let base: string;

beforeAll(async () => {
  db = await testDatabase();
  adapter = await startMockAdapter();
  const env = {
    PLINTH_SERVER_PORT: "0",
    PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: "20",
  };
  const { config } = loadConfig({ files: [], env, cwd: import.meta.dirname });
  config.database.embedded = false;
  // 200 requests at once come from this process.
  Object.assign(config.server.admission, { queueMs: 60_000 });
  config.database.coordinator = { ...config.database.coordinator, ...db.connection };
  plinth = await startPlinth(config, { areas: ["coordinator"], workers: "on" }, silentLogger);
  base = `${plinth.url}/api/coordinator`;
  await call("POST", "/v1/tech-adapters", { id: templateId, version: "1", name: "Mock" });
  await call("PUT", `/v1/tech-adapters/${templateId}/deployments/${environment}`, { url: adapter.url });
});
afterAll(async () => {
  await plinth.close();
  await adapter.close();
  await db.drop();
});

interface Answer {
  status: number;
  body: unknown;
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(base + path, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as unknown) };
}

const start = (unitId: string, parts = [part("a"), part("b", ["a"])]): Promise<Answer> =>
  call(
    "POST",
    `/v2/deployment-units/${unitId}/provisioning?environment=${environment}`,
    request(unitId, parts),
  );

describe("starts on one unit and environment", () => {
  it("of 200 at the same time one is accepted and 199 conflict", async () => {
    adapter.setBehaviours({ default: { operations: { validate: { delayMs: 15_000 } } } });
    // A machine that is busy with other things may ask callers to come again.
    const decided = (): Promise<Answer> =>
      eventually("a decision", async () => {
        const answer = await start("crowded");
        return answer.status === 503 ? null : answer;
      });
    const answers = await Promise.all(Array.from({ length: 200 }, decided));
    const byStatus = Map.groupBy(answers, ({ status }) => status);
    expect([...byStatus].map(([status, of]) => [status, of.length])).toEqual(
      expect.arrayContaining([
        [202, 1],
        [409, 199],
      ]),
    );
    expect(byStatus.size).toBe(2);
    for (const { body } of byStatus.get(409) ?? []) {
      expect(body).toMatchObject({
        code: "COORD_OPERATION_ACTIVE",
        input: "crowded",
        errors: [expect.stringContaining("An operation is active on crowded")],
      });
    }
    const token = byStatus.get(202)?.[0]?.body as string;
    const terminate = (mode: string): Promise<Answer> =>
      call("POST", `/v1/execution-plans/${token}/terminate?mode=${mode}`);
    expect(await terminate("forced")).toEqual({ status: 202, body: token });
    await readStream(token, { random: null });
    expect((await terminate("forced")).status).toBe(400);
    adapter.setBehaviours({});
    expect((await start("crowded")).status).toBe(202);
  });
});

interface StreamRecord {
  id: number;
  event: string;
  data: string;
}

/**
 * Reads the stream of a plan to its end. With a random source the reader leaves after a few records, or in the
 * middle of one, and comes back with the last id that it has.
 */
async function readStream(token: string, { random }: { random: Random | null }): Promise<StreamRecord[]> {
  const records: StreamRecord[] = [];
  for (let visit = 0; visit < 500; visit++) {
    const leave = new AbortController();
    const lastId = records.at(-1)?.id;
    const answer = await fetch(`${base}/v1/execution-plans/${token}/events`, {
      headers: lastId === undefined ? {} : { "last-event-id": String(lastId) },
      signal: leave.signal,
    });
    // It had left between the last record and the end of the stream.
    if (answer.status === 204) return records;
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const enough = random ? records.length + Math.floor(random() * 6) : Infinity;
    if (await takeRecords(answer, { records, enough })) return records;
    leave.abort();
  }
  throw new Error("The stream did not end.");
}

/** True when the server ended the stream. */
async function takeRecords(
  answer: Response,
  { records, enough }: { records: StreamRecord[]; enough: number },
): Promise<boolean> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      if (records.length >= enough) return false;
      const record = parseRecord(text.slice(0, end));
      if (record) records.push(record);
      text = text.slice(end + 2);
    }
    if (records.length >= enough) return false;
  }
  return true;
}

function parseRecord(text: string): StreamRecord | null {
  const fields = new Map(
    text.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const id = fields.get("id");
  return id === undefined
    ? null
    : { id: Number(id), event: fields.get("event") ?? "", data: fields.get("data") ?? "" };
}

describe("a reader of the stream that keeps losing its connection", () => {
  it.each([1, 2, 3])("gets each event once and in order, seed %i", async (seed) => {
    adapter.setBehaviours({
      default: {
        operations: {
          provision: { mode: "async", runningPolls: 4, logs: { lines: 3, style: "growing" }, delayMs: 10 },
        },
      },
    });
    const parts = ["a", "b", "c", "d"].map((id, index) => part(id, index > 1 ? ["a", "b"] : []));
    const { body } = await start(`streamed-${seed}`, parts);
    const token = body as string;
    const [leaving, staying] = await Promise.all([
      readStream(token, { random: seededRandom(seed) }),
      readStream(token, { random: null }),
    ]);
    const stored = await storedEvents(db.database.kysely, token);
    const wanted = stored.map(({ id, type, data }) => ({ id, event: type, data }));
    expect(leaving).toEqual(wanted);
    expect(staying).toEqual(wanted);
    expect(illegalMoves(stored)).toEqual([]);
    // Whoever has the last event of a finished plan is told that there is nothing more.
    const late = await fetch(`${base}/v1/execution-plans/${token}/events`, {
      headers: { "last-event-id": String(stored.at(-1)?.id) },
    });
    expect(late.status).toBe(204);
  });
});
