import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whileAdapterIsHeld } from "../coordinator/ships.ts";
import { seededRandom, type Random } from "../crash/random.ts";
import { startWholeServer, tokenOf, type Answer, type WholeServer } from "../support/server.ts";
import { environment, part, request, templateId } from "./plan-fixtures.ts";
import { illegalMoves, storedEvents } from "./record.ts";

let plinth: WholeServer;

beforeAll(async () => {
  plinth = await startWholeServer();
  await plinth.registerMock(templateId);
});
afterAll(() => plinth.close());

const start = (unitId: string, parts = [part("a"), part("b", ["a"])]): Promise<Answer> =>
  plinth.coordinator({
    method: "POST",
    path: `/v2/deployment-units/${unitId}/provisioning?environment=${environment}`,
    body: request(unitId, parts),
  });

const openStream = (token: string, lastId?: number, signal?: AbortSignal): Promise<Response> =>
  fetch(`${plinth.url}/api/coordinator/v1/execution-plans/${token}/events`, {
    headers: {
      authorization: `Bearer ${tokenOf("admin")}`,
      ...(lastId === undefined ? {} : { "last-event-id": String(lastId) }),
    },
    signal: signal ?? null,
  });

describe("starts on one unit and environment", () => {
  it("of 200 at the same time one is accepted and 199 conflict", async () => {
    const terminate = (token: string): Promise<Answer> =>
      plinth.coordinator({ method: "POST", path: `/v1/execution-plans/${token}/terminate?mode=forced` });
    const startAndTerminate = async () => {
      const answers = await Promise.all(Array.from({ length: 200 }, () => start("crowded")));
      const token = answers.find(({ status }) => status === 202)?.body as string;
      expect(await terminate(token)).toMatchObject({ status: 202, body: token });
      return { token, byStatus: Map.groupBy(answers, ({ status }) => status) };
    };
    const { token, byStatus } = await whileAdapterIsHeld(plinth, startAndTerminate, templateId);
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
    await readStream(token, { random: null });
    expect((await terminate(token)).status).toBe(400);
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
  for (let reconnect = 0; reconnect < 500; reconnect++) {
    const leave = new AbortController();
    const lastId = records.at(-1)?.id;
    const answer = await openStream(token, lastId, leave.signal);
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
    plinth.mock.setBehaviours({
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
    const stored = await storedEvents(plinth.db.database.db, token);
    const wanted = stored.map(({ id, type, data }) => ({ id, event: type, data }));
    expect(leaving).toEqual(wanted);
    expect(staying).toEqual(wanted);
    expect(illegalMoves(stored)).toEqual([]);
    // Whoever has the last event of a finished plan is told that there is nothing more.
    const late = await openStream(token, stored.at(-1)?.id);
    expect(late.status).toBe(204);
  });
});
