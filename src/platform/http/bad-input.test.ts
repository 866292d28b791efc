import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRaw, type RunningServer } from "../../../test/support/http.ts";
import { ask as askUrl, memoryLog, startUnits, whereOf, type Answer, type Question } from "./testdata.ts";

let server: RunningServer;
const { log } = memoryLog();

beforeAll(async () => {
  server = await startUnits(log);
});

afterAll(() => server.close());

const ask = (
  method: "GET" | "POST" | "DELETE" | "HEAD",
  path: string,
  question?: Question,
): Promise<Answer> => askUrl(server.url + path, method, question);

const json = { "content-type": "application/json" };

describe("bad input", () => {
  const post = (query: string, headers: Record<string, string>, body: string) =>
    ask("POST", `/api/test/v1/units${query}`, { headers, body });

  it.each<[string, string, Record<string, string>, string, string[]]>([
    ["a query and a body", "?dry=maybe", json, '{"name":"","size":"x"}', ["dry", "/name", "/size"]],
    ["a query and no JSON", "?dry=maybe", json, '{"name":', ["dry", ""]],
    ["an empty body", "", json, "", [""]],
    ["another content type", "", { "content-type": "text/plain" }, "name=a", ["content-type"]],
    ["a content type that is none", "", { "content-type": "?" }, "{}", ["content-type"]],
    [
      "a form",
      "?dry=1",
      { "content-type": "application/x-www-form-urlencoded" },
      "a=b",
      ["dry", "content-type"],
    ],
    ["a compressed body", "", { ...json, "content-encoding": "gzip" }, "{}", ["content-encoding"]],
    ["a scalar twice", "?dry=true&dry=true", json, '{"name":"a"}', ["dry"]],
    ["bad percent-encoding", "?dry=%zz&x=1", json, '{"name":"a"}', ["dry"]],
    ["a poisoned prototype", "", json, '{"name":"a","__proto__":{}}', ["/__proto__"]],
    ["null", "", json, "null", [""]],
  ])("is refused with every problem: %s", async (...[, query, headers, body, where]) => {
    const answer = await post(query, headers, body);
    expect(answer).toMatchObject({ status: 400, body: { area: "test", code: "PLATFORM_INPUT" } });
    expect(whereOf(answer)).toEqual(where);
  });

  it("is refused without a body at all", async () => {
    const answer = await ask("POST", "/api/test/v1/units");
    expect([answer.status, whereOf(answer)]).toEqual([400, [""]]);
  });

  it("ignores a body that nobody asked for, whatever it is", async () => {
    const answer = await ask("POST", "/api/test/v1/units/a/stop", {
      headers: { "content-type": "image/png" },
      body: "x",
    });
    expect(answer.status).toBe(202);
  });

  it.each([
    ["a length that is known", `content-length: 2001\r\n\r\n`],
    ["a length that is not", `transfer-encoding: chunked\r\n\r\n7d1\r\n${"x".repeat(2001)}\r\n`],
  ])("ends at the operation's limit for a body of %s", async (_, rest) => {
    const answer = await sendRaw(
      server.port,
      `POST /api/test/v1/units HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${rest}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain("PLATFORM_BODY_TOO_LARGE");
    expect(answer).toContain("2000 bytes");
    expect(answer.toLowerCase()).toContain("connection: close");
  });

  it("refuses bad percent-encoding and long parameters in paths", async () => {
    expect(await ask("GET", "/api/test/v1/units/%ff")).toMatchObject({ status: 400, body: { area: "test" } });
    expect(await ask("GET", "/api/other/%ff")).toMatchObject({ status: 422 });
    expect((await ask("GET", `/api/test/v1/units/${"a".repeat(2048)}`)).status).toBe(200);
    expect(await ask("GET", `/api/test/v1/units/${"a".repeat(2049)}`)).toMatchObject({
      status: 400,
      body: { area: "test" },
    });
  });

  it("refuses an empty path parameter", async () => {
    const answer = await ask("GET", "/api/test/v1/units/");
    expect([answer.status, whereOf(answer)]).toEqual([400, ["unit-id"]]);
  });
});

describe("the head of a request", () => {
  const get = (head: string, path = "/api/test/v1/raw"): Promise<string> =>
    sendRaw(server.port, `GET ${path} ${head}\r\nconnection: close\r\n\r\n`);

  it.each([
    ["two hosts", "HTTP/1.1\r\nhost: a\r\nHost: b", "host"],
    ["a host that is none", "HTTP/1.1\r\nhost: a b", "host"],
    ["a host with a path", "HTTP/1.1\r\nhost: a/b", "host"],
    ["a host with an address in it", "HTTP/1.1\r\nhost: me@a", "host"],
    ["no host", "HTTP/1.1", "host"],
    [
      "two content types",
      "HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-type: a/b",
      "content-type",
    ],
  ])("is refused with %s", async (_, head, where) => {
    const answer = await get(head);
    expect(answer).toMatch(/^HTTP\/1.1 400 .*\r\nx-request-id: .*"area":"test","code":"PLATFORM_INPUT"/is);
    expect(answer).toContain(`"where":"${where}"`);
    expect(await get(head, "/nothing")).toMatch(/^HTTP\/1.1 400 .*"error":/s);
  });

  it.each([
    ["an empty host", "HTTP/1.1\r\nhost:"],
    ["an address of IPv6", "HTTP/1.1\r\nhost: [::1]:8080"],
    ["a name of a service", "HTTP/1.1\r\nhost: plinth_server.ns.svc:8080"],
    ["HTTP of before hosts", "HTTP/1.0"],
    ["an expectation that nobody knows", "HTTP/1.1\r\nhost: a\r\nexpect: something"],
  ])("is taken with %s", async (_, head) => {
    expect(await get(head)).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe("raw sockets", () => {
  it.each<[string, string, RegExp]>([
    [
      "an invalid length",
      "POST /api/test/v1/units HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n",
      /^HTTP\/1.1 400 .*"area":"test"/s,
    ],
    [
      "two lengths",
      "POST /api/test/v1/units HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
      /^HTTP\/1.1 400 .*"area":"test".*has content-length twice/s,
    ],
    [
      "a broken chunk",
      "POST /api/test/v1/units HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
      /^HTTP\/1.1 400 .*"area":"test"/s,
    ],
    ["no HTTP", "hello\r\n\r\n", /^HTTP\/1.1 400 .*"error":/s],
    [
      "huge headers",
      `GET /api/test/v1/raw HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1.1 431 /,
    ],
    ["an unknown method", "BREW /api/test/v1/raw HTTP/1.1\r\nhost: a\r\n\r\n", /^HTTP\/1.1 400 /],
  ])("answers %s and closes", async (_, bytes, expected) => {
    const answer = await sendRaw(server.port, bytes);
    expect(answer).toMatch(expected);
    expect(answer).not.toMatch(/HPE_|at .*\.(?:js|ts)/);
  });

  it.each(["PROPFIND", "TRACE", "PATCH", "OPTIONS", "DELETE"])(
    "answers %s on a known path with 405",
    async (method) => {
      const answer = await sendRaw(
        server.port,
        `${method} /api/test/v1/raw HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1.1 405 /);
      expect(answer).toMatch(/\r\nallow: GET, HEAD\r\n/i);
      expect(answer).toContain('"area":"test"');
    },
  );

  it("says nothing more when the rest of an answered request is broken", async () => {
    const answer = await sendRaw(
      server.port,
      "POST /api/other/x HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    );
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(answer).toMatch(/^HTTP\/1.1 404 .*"detail"/s);
  });

  it("answers requests that come in one packet in their order", async () => {
    const first = "GET /api/test/v1/units/1 HTTP/1.1\r\nhost: a\r\n\r\n";
    const last = "GET /api/test/v1/units/2 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    const answer = await sendRaw(server.port, first + last);
    expect([...answer.matchAll(/"id":"(\d)"/g)].map(([, id]) => id)).toEqual(["1", "2"]);
  });
});
