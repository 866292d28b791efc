import { afterAll, beforeAll, expect, it } from "vitest";
import { startWholeServer, type Answer, type WholeServer } from "../support/server.ts";
import { ended, hullId, start } from "./ships.ts";

let server: WholeServer;
let token = "";
let records: StreamRecord[] = [];

interface StreamRecord {
  id: number;
  event: string;
  data: any;
}

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  token = await start(server);
  await ended(server, token);
  records = parse(await stream());
});
afterAll(() => server.close());

const stream = (headers: Record<string, string> = {}, query = ""): Promise<Answer> =>
  server.coordinator({ path: `/v1/execution-plans/${token}/events${query}`, headers });

const parse = ({ text }: Answer): StreamRecord[] =>
  text
    .split("\n\n")
    .filter((record) => record.startsWith("id: "))
    .map((record) => {
      const [id, event, data, ...rest] = record.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
      expect(rest).toEqual([]);
      return { id: Number(id), event: event ?? "", data: JSON.parse(data ?? "null") };
    });

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

it("is an event stream that nobody may keep", async () => {
  const { status, headers } = await stream();
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-cache, no-transform");
});

it("has the records that the reference page describes", () => {
  expect(records[0]).toMatchObject({ event: "plan", data: { id: token, status: "RUNNING", at: time } });
  expect(records.at(-1)).toEqual({
    id: expect.any(Number),
    event: "plan",
    data: { id: token, status: "COMPLETED", at: time },
  });
  const ofHull = records.filter(({ event, data }) => event === "task" && data.id === `provision:${hullId}`);
  const task = { id: `provision:${hullId}`, action: "PROVISION", componentId: hullId, startTime: time };
  expect(ofHull.map(({ data }) => data)).toEqual([
    { ...task, status: "RUNNING" },
    {
      ...task,
      status: "COMPLETED",
      stopTime: time,
      message: expect.any(String),
      componentStatus: "DEPLOYED",
    },
  ]);
  const log = records.find(({ event }) => event === "log");
  expect(log?.data).toEqual({
    timestamp: time,
    severity: "INFO",
    task: expect.any(String),
    message: expect.any(String),
    phase: "VALIDATION",
  });
  expect(new Set(records.map(({ event }) => event))).toEqual(new Set(["plan", "task", "log"]));
  expect(records.map(({ id }) => id)).toEqual(records.map(({ id }) => id).sort((a, b) => a - b));
});

it("resumes after any record without loss or repeat, by header or by query", async () => {
  for (const [index, { id }] of records.slice(0, -1).entries()) {
    expect(parse(await stream({ "last-event-id": String(id) }))).toEqual(records.slice(index + 1));
    expect(parse(await stream({}, `?after=${id}`))).toEqual(records.slice(index + 1));
  }
});

it("answers 204 to whoever has the last record, so that a browser stops coming back", async () => {
  const answer = await stream({ "last-event-id": String(records.at(-1)?.id) });
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect((await stream({}, "?after=9007199254740991")).status).toBe(204);
});

it.each(["zebra", "", "-1", "1e999", "0.5"])("begins at the first record after the id %j", async (id) => {
  expect(parse(await stream({ "last-event-id": id }))).toEqual(records);
});
