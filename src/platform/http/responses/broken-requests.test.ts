/** What a request that is not well-formed makes of the answers that come before it on its connection. */
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestServer, testArea, type RunningServer } from "../../../../test/support/http.ts";
import { route } from "../operation.ts";
import { streamEvents, type StreamRecord } from "./sse.ts";
import { memoryLog } from "../testdata.ts";

/** Both are replaced for each test. */
let started = Promise.withResolvers<void>();
let release = Promise.withResolvers<void>();

const area = testArea((app) => {
  route(app, {
    id: "work",
    method: "POST",
    path: "/work",
    summary: "Work",
    rule: "write",
    response: { 202: { description: "Accepted", noBody: true } },
    async handler() {
      started.resolve();
      await release.promise;
    },
  });
  route(app, {
    id: "watch",
    method: "GET",
    path: "/events",
    summary: "Watch",
    rule: "read",
    response: { 200: { description: "Events", contentType: "text/event-stream" } },
    handler: (_ctx, { reply }) => streamEvents(reply, twoRecords()),
  });
  route(app, {
    id: "make",
    method: "POST",
    path: "/things",
    summary: "Make a thing",
    rule: "write",
    body: Type.Object({ name: Type.String() }),
    response: { 200: Type.String() },
    handler: (_ctx, { body }) => body.name,
  });
});

async function* twoRecords(): AsyncGenerator<StreamRecord> {
  yield { data: "first" };
  started.resolve();
  await release.promise;
  yield { data: "last" };
}

let server: RunningServer;
const { log, lines } = memoryLog();
beforeAll(async () => {
  server = await startTestServer([area], { log });
});
afterAll(() => server.close());
beforeEach(() => {
  lines.length = 0;
  started = Promise.withResolvers();
  release = Promise.withResolvers();
});

const head = "POST /api/test/work HTTP/1.1\r\nhost: a\r\n";
const work = `${head}\r\n`;
const brokenChunk = `${head.replace("work", "things")}content-type: application/json
transfer-encoding: chunked

zz
`.replaceAll(/\r?\n/g, "\r\n");

/** Sends several requests in one packet, of which the first is answered only after the server has read all of them. */
async function answersTo(packet: string): Promise<string> {
  const socket = connect({ port: server.port, host: "127.0.0.1" });
  try {
    const answers = textOf(socket);
    socket.write(packet, "latin1");
    await started.promise;
    release.resolve();
    return await answers;
  } finally {
    socket.destroy();
  }
}

const statusesOf = (answers: string): string[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);

it.each([
  ["of an unknown method", "BROKEN /x\r\n\r\n"],
  ["of a broken chunk", brokenChunk],
])("a request %s is answered after the one before it", async (_, broken) => {
  const answers = await answersTo(work + broken);
  expect(statusesOf(answers)).toEqual(["202", "400"]);
  expect(answers).toMatch(/connection: close.*PLATFORM_INPUT/is);
});

it("waits for all requests before it", async () => {
  expect(statusesOf(await answersTo(`${work}${work}BROKEN /x\r\n\r\n`))).toEqual(["202", "202", "400"]);
});

it("a stream of events goes on to its end", async () => {
  const answers = await answersTo("GET /api/test/events HTTP/1.1\r\nhost: a\r\n\r\nBROKEN /x\r\n\r\n");
  expect(answers).toMatch(/^HTTP\/1\.1 200 .*data: first\n.*data: last\n/s);
  expect(answers.slice(0, answers.indexOf("data: last"))).not.toContain("HTTP/1.1 400");
});

it("what comes after the last request of a connection is not answered", async () => {
  expect(statusesOf(await answersTo(`${head}connection: close\r\n\r\nBROKEN /x\r\n\r\n`))).toEqual(["202"]);
});

it("the log names the path of the broken request only where it is known", async () => {
  await answersTo(`${work}BROKEN /x\r\n\r\n`);
  await answersTo(work + brokenChunk);
  expect(
    lines.filter(({ message }) => message === "broken request").map(({ fields }) => fields["path"]),
  ).toEqual(["/", "/api/test/things"]);
});
