import { connect, type Socket } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRaw, startTestServer, testArea, type RunningServer } from "../../../../test/support/http.ts";
import { route } from "../operation.ts";
import { arrivalLimits, createArrivals } from "./slow-requests.ts";
import { unitOperations } from "../testdata.ts";

type Watched = Parameters<ReturnType<typeof createArrivals>["watch"]>;

describe("a body stands still", () => {
  const stage = (headers: Record<string, string> = { "content-length": "9" }) => {
    let now = 0;
    const still: unknown[] = [];
    const request = {
      headers,
      complete: false,
      destroyed: false,
      readableLength: 0,
      socket: { bytesRead: 0 },
    };
    const arrivals = createArrivals({ idleMs: 100, nowMs: () => now, onStill: (found) => still.push(found) });
    const response = { destroyed: false, on: () => {} };
    arrivals.watch(...([request, response] as unknown as Watched));
    const after = (ms: number, change: () => void = () => {}) => {
      now += ms;
      change();
      arrivals.look();
      return still.length;
    };
    return { request, after };
  };

  it("when nothing comes for the time, once", () => {
    const { after } = stage();
    expect([after(99), after(1), after(500)]).toEqual([0, 1, 1]);
  });

  it("also when it drips", () => {
    const { request, after } = stage({ "transfer-encoding": "chunked" });
    const drip = () => (request.socket.bytesRead += 1_000);
    expect([after(50, drip), after(49, drip), after(1, drip)]).toEqual([0, 0, 1]);
  });

  it("not while enough comes, however long the whole takes", () => {
    const { request, after } = stage();
    const flow = () => (request.socket.bytesRead += 32 * 1024);
    for (let step = 0; step < 50; step += 1) expect(after(99, flow)).toBe(0);
    expect(after(100)).toBe(1);
  });

  it("not while bytes wait to be read here, nor once it is complete or cut", () => {
    const waiting = stage();
    expect(waiting.after(500, () => (waiting.request.readableLength = 1))).toBe(0);
    for (const end of ["complete", "destroyed"] as const) {
      const { request, after } = stage();
      expect(after(500, () => (request[end] = true))).toBe(0);
    }
    const left = stage();
    const drop = () => Object.assign(left.request, { destroyed: true, socket: null });
    expect(left.after(500, drop)).toBe(0);
  });

  it("not where there is none", () => {
    expect(stage({}).after(500)).toBe(0);
    expect(stage({ "content-length": "0" }).after(500)).toBe(0);
  });
});

it("the limit and how late it is noticed are within what is set", () => {
  const { headersTimeout, requestTimeout, connectionsCheckingInterval } = arrivalLimits(30_000);
  expect(headersTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(30_000);
  expect(requestTimeout).toBe(300_000);
});

describe("a server with a short limit", () => {
  let server: RunningServer;
  beforeAll(async () => {
    const area = testArea((app) => {
      unitOperations(app);
      route(app, {
        id: "listen",
        method: "POST",
        path: "/v1/listen",
        summary: "Answers later",
        rule: "read",
        body: Type.Object({}),
        response: { 200: Type.String() },
        handler: () => new Promise((done) => setTimeout(() => done("late"), 600)),
      });
    });
    server = await startTestServer([area], { server: { requestIdleMs: 300 } });
  });
  afterAll(() => server.close());

  it.each([
    ["never sends a byte", ""],
    ["sends half a line", "GET /api/te"],
    ["sends half the headers", "GET /api/test/v1/raw HTTP/1.1\r\nhost: x\r\naccept: "],
  ])("closes a connection that %s", async (_, bytes) => {
    expect(await sendRaw(server.port, bytes)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each([
    ["a length", "content-length: 50\r\n\r\n{"],
    ["chunks", "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n"],
    ["none of it", "content-length: 50\r\n\r\n"],
  ])("answers half a body, sent with %s, in the words of the area", async (_, rest) => {
    const head = "POST /api/test/v1/units HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    const answer = await sendRaw(server.port, head + rest);
    const [top = "", body = ""] = answer.split("\r\n\r\n");
    expect(top).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close/i);
    expect(JSON.parse(body)).toMatchObject({
      area: "test",
      code: "PLATFORM_REQUEST_TIMEOUT",
      url: "/api/test/v1/units",
    });
  });

  it("lets an answer take as long as it takes", async () => {
    const answer = await fetch(`${server.url}/api/test/v1/listen`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(await answer.json()).toBe("late");
  });

  it("ends the connection of a client that does not end its own", async () => {
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
    await expect(writeUntilRefused(socket)).resolves.toMatch(/ECONNRESET|EPIPE/);
  });
});

/** The reason why a connection takes nothing more. */
async function writeUntilRefused(socket: Socket): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
  const timer = setInterval(() => socket.write("x"), 50);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    socket.destroy();
  }
}
