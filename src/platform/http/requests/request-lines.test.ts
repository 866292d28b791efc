/** Every line of the log that is written while a request is served says which one, whoever writes it. */
import { afterEach, expect, test } from "vitest";
import { sendRaw, startTestServer, testArea, type RunningServer } from "../../../../test/support/http.ts";
import { outsideRequest } from "../../lib/request-scope.ts";
import { createLogger } from "../../telemetry/logger.ts";
import type { HttpServerOptions } from "../server.ts";
import { route } from "../operation.ts";

let server: RunningServer | undefined;
afterEach(() => server?.close());

interface Line {
  message: string;
  requestId?: string;
  clientAddress?: string;
  path?: string;
  step?: string;
}

async function start(settings: Partial<HttpServerOptions["server"]> = {}) {
  const texts: string[] = [];
  const log = createLogger({ level: "trace", pretty: false }, { write: (text) => void texts.push(text) });
  let afterwards: () => void = () => undefined;
  const later = new Promise<void>((done) => (afterwards = done));
  const area = testArea((app) => {
    route(app, {
      id: "work",
      method: "GET",
      path: "/work",
      rule: "work",
      summary: "Work",
      response: { 200: { description: "Nothing", noBody: true } },
      async handler(ctx) {
        // A part of the process that knows nothing of requests.
        log.warn({}, "another part");
        await new Promise((done) => setTimeout(done, 5));
        log.child({ step: "one" }).warn({}, "a child of it");
        ctx.log.info({}, "the service");
        ctx.log.child({ step: "two" }).info({}, "a child of it");
        outsideRequest(() => log.warn({}, "of others"));
        void later.then(() => {
          log.warn({}, "another part, afterwards");
          ctx.log.warn({}, "the service, afterwards");
        });
      },
    });
    route(app, {
      id: "break",
      method: "GET",
      path: "/break",
      rule: "break",
      summary: "Break",
      response: { 200: { description: "Nothing", noBody: true } },
      handler: () => Promise.reject(new Error("a defect")),
    });
  });
  server = await startTestServer([area], { log, server: settings });
  const { url, port } = server;
  return {
    port,
    afterwards,
    get: (path: string, headers: Record<string, string>) => fetch(`${url}/api/test${path}`, { headers }),
    /** All lines, each of them with each of its fields once. */
    lines: (): Line[] =>
      texts.map((text) => {
        for (const name of ["requestId", "clientAddress"])
          expect(text.split(`"${name}":`).length).toBeLessThan(3);
        return JSON.parse(text) as Line;
      }),
  };
}

const shown = ({ message, step, requestId, clientAddress }: Line) => [
  message,
  step,
  requestId,
  clientAddress,
];

test("the service, parts that get no context, and the line of the request itself", async () => {
  const { get, lines, afterwards } = await start();
  await Promise.all([get("/work", { "x-request-id": "a" }), get("/work", { "x-request-id": "b" })]);
  await expect.poll(() => lines().filter(({ message }) => message === "request")).toHaveLength(2);
  for (const id of ["a", "b"])
    expect(
      lines()
        .filter(({ requestId }) => requestId === id)
        .map(shown),
    ).toEqual([
      ["another part", undefined, id, "127.0.0.1"],
      ["a child of it", "one", id, "127.0.0.1"],
      ["the service", undefined, id, "127.0.0.1"],
      ["a child of it", "two", id, "127.0.0.1"],
      ["request", undefined, id, "127.0.0.1"],
    ]);
  expect(
    lines()
      .filter(({ message }) => message === "of others")
      .map(shown),
  ).toEqual([
    ["of others", undefined, undefined, undefined],
    ["of others", undefined, undefined, undefined],
  ]);
  afterwards();
  await expect
    // Which of the two requests came first is not known.
    .poll(() => lines().map(shown).slice(-4).map(String).toSorted())
    .toEqual([
      "another part, afterwards,,,",
      "another part, afterwards,,,",
      "the service, afterwards,,a,127.0.0.1",
      "the service, afterwards,,b,127.0.0.1",
    ]);
});

test("a defect of ours", async () => {
  const { get, lines } = await start();
  await get("/break", { "x-request-id": "c" });
  await expect
    .poll(() => lines().map(shown))
    .toEqual([
      [expect.any(String), undefined, "c", "127.0.0.1"],
      ["request", undefined, "c", "127.0.0.1"],
    ]);
});

test.each<[string, boolean, string, string]>([
  ["a proxy that is trusted", true, "198.51.100.7", "198.51.100.7"],
  ["one that says an IPv6 address", true, "2001:db8::7, 10.0.0.1", "2001:db8::7"],
  ["one that maps addresses", true, "::ffff:198.51.100.7", "198.51.100.7"],
  ["one that says no address", true, "'; drop table audit", "127.0.0.1"],
  ["one that is not trusted", false, "198.51.100.7", "127.0.0.1"],
])("the client's address behind %s", async (_case, trustProxy, forwarded, expected) => {
  const { get, lines } = await start({ trustProxy });
  await get("/nothing", { "x-request-id": "d", "x-forwarded-for": forwarded });
  await expect.poll(() => lines().map(shown)).toEqual([["request", undefined, "d", expected]]);
});

test("the path of a request that is not well-formed, without the credential in it", async () => {
  const { port, lines } = await start();
  const path = `/api/test/answers/cap_${"secret".repeat(8)}.x-y/${"z".repeat(600)}`;
  await sendRaw(port, `POST ${path}?token=secret HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n`);
  await expect
    .poll(() => lines().map(({ path: logged, message }) => [message, logged?.replace(/z+$/, "")]))
    .toEqual([["broken request", "/api/test/answers/cap_***/"]]);
  expect(lines()[0]!.path!.length).toBeLessThanOrEqual(500);
});

test("a request that is no HTTP", async () => {
  const { port, lines } = await start();
  await sendRaw(port, "GET / NONSENSE\r\n\r\n");
  await expect
    .poll(() => lines().map(shown))
    .toEqual([["broken request", undefined, expect.any(String), "127.0.0.1"]]);
});
