import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Server } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { silentLogger } from "../lib/logger.ts";
import type { Outbound, OutboundRequest, ResolveAll } from "./outbound.ts";
import { createOutbound } from "./outbound.ts";
import { OutboundError, publicMessage } from "./outbound-error.ts";
import type { OutboundPolicy } from "./policy.ts";

/** Key and certificate of `localhost`, signed by itself; good for a hundred years and for nothing but tests. */
const pem = readFileSync(new URL("testdata/self-signed-localhost.pem", import.meta.url));

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const lines: { fields: object; message: string }[] = [];
const log = { ...silentLogger, warn: record, debug: record };
function record(fields: object, message: string) {
  lines.push({ fields, message });
}

function client(policy: Partial<OutboundPolicy> = {}, resolve?: ResolveAll): Outbound {
  const outbound = createOutbound(
    {
      allowedSchemes: ["http", "https"],
      blockedHosts: [],
      allowPrivateNetworks: true,
      maxResponseBytes: 100_000,
      timeoutMs: 5_000,
      ...policy,
    },
    log,
    resolve === undefined ? {} : { resolve },
  );
  cleanups.push(() => outbound.close());
  return outbound;
}

async function listen(server: Server & { closeAllConnections?: () => void }): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => {
    server.closeAllConnections?.();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}

const serve = async (listener: RequestListener) => `http://127.0.0.1:${await listen(createServer(listener))}`;

/** The failure as [reason, requestSent]. */
async function failure(outbound: Outbound, request: Partial<OutboundRequest> & { url: string }) {
  const error = await errorOf(outbound, request);
  return [error.reason, error.requestSent];
}

/** What the call threw; a success is a defect of the test. */
async function errorOf(outbound: Outbound, request: Partial<OutboundRequest> & { url: string }) {
  const error = await outbound.request({ method: "POST", body: "x", ...request }).then(
    () => new Error("the call went through"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundError)) throw error;
  return error;
}

describe("an exchange", () => {
  it.each([
    ["text", "hello"],
    ["a buffer", Buffer.from("hello")],
    ["small parts", [Buffer.from("hel"), Buffer.from("lo")]],
    ["large parts", [Buffer.alloc(300_000, "a"), Buffer.alloc(300_000, "b")]],
    ["no parts", []],
  ])("sends %s with its length", async (_name, body) => {
    const url = await serve((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const got = Buffer.concat(parts);
        response.setHeader("x-length", request.headers["content-length"] ?? "none");
        response.setHeader("x-encoding", String(request.headers["accept-encoding"]));
        response.end(`${got.length}:${got.subarray(0, 5).toString()}`);
      });
    });
    const whole = Array.isArray(body) ? Buffer.concat(body) : Buffer.from(body);
    const answer = await client().request({ method: "POST", url, body });
    expect(answer.body.toString()).toBe(`${whole.length}:${whole.subarray(0, 5).toString()}`);
    expect(answer.headers["x-length"]).toBe(String(whole.length));
    expect(answer.headers["x-encoding"]).toBe("identity");
  });

  it("reuses its connections", async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    });
    const outbound = client();
    for (let n = 0; n < 5; n++) await outbound.request({ method: "GET", url });
    // The next call may come before the connection of the last one is free again.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it("gives a redirect back as it is", async () => {
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
    );
    const answer = await client().request({ method: "GET", url });
    expect([answer.status, answer.headers["location"]]).toEqual([302, "http://169.254.169.254/"]);
  });

  it("joins repeated headers and unpacks a body that was compressed unasked", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "x-a": ["1", "2"] }).end(gzipSync("packed"));
    });
    const answer = await client().request({ method: "GET", url });
    expect([answer.body.toString(), answer.headers["x-a"]]).toEqual(["packed", "1, 2"]);
  });
});

describe("a failure says whether the request can have been seen", () => {
  it("closed port", async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await failure(client(), { url: `http://127.0.0.1:${port}` })).toEqual(["connect", false]);
  });

  it("a name that does not exist", async () => {
    const notFound: ResolveAll = (_name, _options, callback) =>
      callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
    expect(await failure(client({}, notFound), { url: "http://nowhere.example" })).toEqual(["dns", false]);
    expect(await failure(client(), { url: "http://nowhere.invalid" })).toEqual(["dns", false]);
  });

  it("a certificate nobody vouches for, and a peer that speaks no TLS", async () => {
    let seen = 0;
    const secure = createTlsServer({ key: pem, cert: pem }, () => seen++);
    const securePort = await listen(secure);
    expect(await failure(client(), { url: `https://127.0.0.1:${securePort}` })).toEqual(["tls", false]);
    expect(seen).toBe(0);

    const plain = await listen(createServer((_request, response) => response.end()));
    expect(await failure(client(), { url: `https://127.0.0.1:${plain}` })).toEqual(["tls", false]);

    const hangUp = await listen(createTcpServer((socket) => socket.destroy()));
    expect(await failure(client(), { url: `https://127.0.0.1:${hangUp}` })).toEqual(["tls", false]);
  });

  it("a certificate of another host", async () => {
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, pem.toString()]);
    cleanups.push(() => setDefaultCACertificates(trusted));
    const port = await listen(
      createTlsServer({ key: pem, cert: pem }, (_request, response) => response.end("safe")),
    );
    const answer = await client().request({ method: "GET", url: `https://localhost:${port}` });
    expect(answer.body.toString()).toBe("safe");
    expect(await failure(client(), { url: `https://127.0.0.1:${port}` })).toEqual(["tls", false]);
  });

  it("a reset after the request and in the middle of the answer", async () => {
    const after = await serve((request) => request.socket.resetAndDestroy());
    expect(await failure(client(), { url: after })).toEqual(["reset", true]);
    const middle = await serve((request, response) => {
      response
        .writeHead(200, { "content-length": "100" })
        .write("part", () => request.socket.resetAndDestroy());
    });
    expect(await failure(client(), { url: middle })).toEqual(["reset", true]);
    const notHttp = await listen(
      createTcpServer((socket) => socket.once("data", () => socket.end("hello\n"))),
    );
    expect(await failure(client(), { url: `http://127.0.0.1:${notHttp}` })).toEqual(["reset", true]);
  });

  it("no answer, and an answer that drips", async () => {
    const never = await serve(() => undefined);
    expect(await failure(client(), { url: never, timeoutMs: 1_000 })).toEqual(["timeout", true]);
    const drip = await serve((_request, response) => {
      response.write("{");
      const timer = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(timer));
    });
    expect(await failure(client(), { url: drip, timeoutMs: 1_000 })).toEqual(["timeout", true]);
  });

  it("a timeout while it still connects, resolves or waits for its turn", async () => {
    const silent: ResolveAll = () => undefined;
    expect(await failure(client({}, silent), { url: "http://slow.example", timeoutMs: 50 })).toEqual([
      "timeout",
      false,
    ]);
    const noHandshake = await listen(createTcpServer(() => undefined));
    const url = `https://127.0.0.1:${noHandshake}`;
    expect(await failure(client(), { url, timeoutMs: 50 })).toEqual(["timeout", false]);
    expect(await failure(client({ timeoutMs: 60 }), { url, timeoutMs: 2_000 })).toEqual(["timeout", false]);
  });

  it("a call that was given up while it waited for a connection never leaves", async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(String(request.url));
      response.end();
    });
    let resolved: (() => void) | undefined;
    const slow: ResolveAll = (_name, _options, callback) => {
      resolved = () => callback(null, [{ address: "127.0.0.1", family: 4 }]);
    };
    const outbound = client({}, slow);
    const named = url.replace("127.0.0.1", "slow.example");
    expect(await failure(outbound, { url: `${named}/given-up`, timeoutMs: 50 })).toEqual(["timeout", false]);
    resolved?.();
    const next = outbound.request({ method: "GET", url: `${named}/next` });
    await expect.poll(() => (resolved?.(), seen)).toContain("/next");
    await next;
    expect(seen).toEqual(["/next"]);
  });

  it("cancelled before and during the call", async () => {
    let calls = 0;
    const url = await serve(() => calls++);
    const stopped = AbortSignal.abort();
    expect(await failure(client(), { url, signal: stopped })).toEqual(["aborted", false]);
    expect(calls).toBe(0);
    const stop = new AbortController();
    const call = failure(client(), { url, signal: stop.signal });
    await expect.poll(() => calls).toBe(1);
    stop.abort();
    expect(await call).toEqual(["aborted", true]);
  });

  it("too large: announced, while streaming, unpacked, and in the headers", async () => {
    let written = 0;
    const announced = await serve((_request, response) =>
      response.writeHead(200, { "content-length": "200000" }).write("x"),
    );
    const streamed = await serve((_request, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(20_000), () => (written += 20_000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    const bomb = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(5_000_000)));
    });
    const header = await serve((_request, response) =>
      response.writeHead(200, { "x-long": "x".repeat(40_000) }).end(),
    );
    for (const url of [announced, streamed, bomb, header]) {
      expect(await failure(client(), { url })).toEqual(["too_large", true]);
    }
    expect(written).toBeLessThan(2_000_000);
  });

  it("a content coding that is unknown, stacked or broken", async () => {
    for (const coding of ["zstd", "gzip, gzip", "gzip"]) {
      const url = await serve((_request, response) =>
        response.writeHead(200, { "content-encoding": coding }).end("xyz"),
      );
      expect(await failure(client(), { url })).toEqual(["reset", true]);
    }
  });

  it("a request that HTTP cannot carry", async () => {
    const url = await serve((_request, response) => response.end());
    expect(await failure(client(), { url, headers: { "x-a": "1\r\nx-b: 2" } })).toEqual([
      "refused_by_policy",
      false,
    ]);
  });
});

describe("the address that is connected to", () => {
  it("is one that was checked: a name that resolves to metadata is refused", async () => {
    const hostile: ResolveAll = (_name, _options, callback) =>
      callback(null, [{ address: "169.254.169.254", family: 4 }]);
    const outbound = client({}, hostile);
    expect(outbound.check("http://innocent.example")).toBeNull();
    expect(await failure(outbound, { url: "http://innocent.example" })).toEqual(["refused_by_policy", false]);
  });

  it("is resolved once for each connection and only the allowed ones are used", async () => {
    const port = await listen(createServer((_request, response) => response.end("here")));
    let lookups = 0;
    const mixed: ResolveAll = (_name, _options, callback) => {
      lookups++;
      callback(null, [
        { address: "169.254.169.254", family: 4 },
        { address: "::ffff:127.0.0.1", family: 6 },
        { address: "127.0.0.1", family: 4 },
      ]);
    };
    const outbound = client({}, mixed);
    for (let n = 0; n < 5; n++) {
      const answer = await outbound.request({ method: "GET", url: `http://adapter.example:${port}/` });
      expect(answer.body.toString()).toBe("here");
    }
    expect(lookups).toBeLessThanOrEqual(2);
  });

  it("must be in an allowed network when no name matches", async () => {
    const port = await listen(createServer((_request, response) => response.end("here")));
    const local: ResolveAll = (_name, _options, callback) =>
      callback(null, [{ address: "127.0.0.1", family: 4 }]);
    const url = `http://adapter.example:${port}/`;
    const inside = client({ allowedHosts: ["127.0.0.0/8"] }, local);
    expect((await inside.request({ method: "GET", url })).status).toBe(200);
    expect(await failure(client({ allowedHosts: ["10.0.0.0/8"] }, local), { url })).toEqual([
      "refused_by_policy",
      false,
    ]);
    expect(await failure(client({ allowPrivateNetworks: false }, local), { url })).toEqual([
      "refused_by_policy",
      false,
    ]);
  });
});

it("keeps secrets out of log lines and messages", async () => {
  lines.length = 0;
  const outbound = client();
  const first = await errorOf(outbound, { url: "http://me:hunter2@host/?key=hunter2" });
  const second = await errorOf(outbound, {
    url: "http://nowhere.invalid/?key=hunter2",
    headers: { authorization: "Bearer hunter2" },
    body: "hunter2",
  });
  expect(lines).toHaveLength(2);
  expect(JSON.stringify([lines, first.message, second.message])).not.toContain("hunter2");
});

it("gives the one URL and the addresses that may be connected to, and no others", async () => {
  const mixed: ResolveAll = (_name, _options, callback) =>
    callback(null, [
      { address: "169.254.169.254", family: 4 },
      { address: "10.1.2.3", family: 4 },
      { address: "fd00::7", family: 6 },
    ]);
  const resolved = async (url: string) => {
    const target = await client({}, mixed).resolve(url);
    return [target.url.href, ...target.addresses];
  };
  expect(await resolved("https://GIT.example:443/a/../x")).toEqual([
    "https://git.example/x",
    "10.1.2.3",
    "fd00::7",
  ]);
  expect(await resolved("http://127.0.0.1:3000/x")).toEqual(["http://127.0.0.1:3000/x", "127.0.0.1"]);
  expect(await resolved("http://[::1]:3000/x")).toEqual(["http://[::1]:3000/x", "::1"]);
  const resolve = (url: string) => client({}, mixed).resolve(url);
  await expect(resolve("http://169.254.169.254/")).rejects.toMatchObject({ reason: "refused_by_policy" });
  for (const url of ["ssh://git.example/x", "https://u:p@git.example/", "http://a.example\\@b.example/"])
    await expect(resolve(url)).rejects.toMatchObject({ reason: "malformed_url" });
  const inside = client({ allowPrivateNetworks: false }, mixed);
  await expect(inside.resolve("https://git.example/x")).rejects.toMatchObject({
    reason: "refused_by_policy",
  });
});

it("takes down why a program that was held to a target could not reach it", async () => {
  lines.length = 0;
  const target = await client().resolve("http://127.0.0.1:1/x?key=hunter2");
  expect(target.failed("git says no")).toMatchObject({ reason: "connect", message: "git says no" });
  expect(lines).toMatchObject([{ fields: { url: "http://127.0.0.1:1/x?key=***", why: "git says no" } }]);
});

it("tells people who are no operators the same of a target that is refused, unknown, closed or mute", async () => {
  const server = createTcpServer((socket) => socket.end("SSH-2.0\r\n"));
  const mute = await listen(server);
  const closedServer = createTcpServer();
  const closed = await listen(closedServer);
  await new Promise((resolve) => closedServer.close(resolve));
  const inside: ResolveAll = (_name, _options, callback) =>
    callback(null, [{ address: "10.0.0.1", family: 4 }]);
  const errors = [
    await errorOf(client({ allowPrivateNetworks: false }), { url: "http://10.0.0.1/" }),
    await errorOf(client({ allowPrivateNetworks: false }, inside), { url: "http://inside.example/" }),
    await errorOf(client({ blockedHosts: ["*.example"] }), { url: "http://blocked.example/" }),
    await errorOf(client(), { url: "http://nowhere.invalid/" }),
    await errorOf(client(), { url: `http://127.0.0.1:${closed}/` }),
    await errorOf(client(), { url: `http://127.0.0.1:${mute}/` }),
    await errorOf(client(), { url: `https://127.0.0.1:${mute}/` }),
  ];
  expect(new Set(errors.map(({ message }) => message)).size).toBeGreaterThan(4);
  expect(new Set(errors.map(publicMessage)).size).toBe(1);
  expect(publicMessage(await errorOf(client(), { url: "http://127.1/" }))).toContain("spelling of 127.0.0.1");
});

describe("a connection for another protocol than HTTP", () => {
  const echo = () =>
    createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.pipe(socket);
    });
  const refused = (outbound: Outbound, host: string, port: number) =>
    outbound.connect({ host, port, timeoutMs: 2_000 }).catch((error: unknown) => error);

  it("is made whatever schemes are allowed", async () => {
    const port = await listen(echo());
    for (const host of ["localhost", "127.0.0.1"]) {
      const socket = await client({ allowedSchemes: ["https"] }).connect({ host, port, timeoutMs: 2_000 });
      socket.write("hello");
      const [said] = await once(socket, "data");
      expect(String(said)).toBe("hello");
      socket.destroy();
    }
  });

  it.each<[string, string, Partial<OutboundPolicy>]>([
    ["a private network", "127.0.0.1", { allowPrivateNetworks: false }],
    ["a name in one", "localhost", { allowPrivateNetworks: false }],
    ["a blocked host", "localhost", { blockedHosts: ["local*"] }],
    ["a host that is not allowed", "localhost", { allowedHosts: ["mail.example.com"] }],
    ["metadata", "169.254.169.254", {}],
  ])("is refused to %s", async (_, host, policy) => {
    const port = await listen(echo());
    expect(await refused(client(policy), host, port)).toMatchObject({
      reason: "refused_by_policy",
      requestSent: false,
    });
  });

  it.each(["localhost/x", "a@b", "local host", "127.1", "localhost:80", "localhost\r\nRCPT"])(
    "is refused to the host %j",
    async (host) => {
      expect(await refused(client(), host, 25)).toMatchObject({ reason: "malformed_url" });
    },
  );

  it("is refused when its name leads to a private address at last", async () => {
    const resolve: ResolveAll = (_name, _options, callback) =>
      callback(null, [{ address: "10.0.0.1", family: 4 }]);
    const outbound = client({ allowPrivateNetworks: false }, resolve);
    expect(await refused(outbound, "mail.example.com", 25)).toMatchObject({ reason: "refused_by_policy" });
  });

  it("says why there is none", async () => {
    const server = echo();
    const port = await listen(server);
    server.close();
    expect(await refused(client(), "127.0.0.1", port)).toMatchObject({ reason: "connect" });
    const stop = AbortSignal.abort();
    const stopped = client().connect({ host: "127.0.0.1", port, timeoutMs: 1_000, signal: stop });
    await expect(stopped).rejects.toMatchObject({ reason: "aborted" });
  });
});

it("keeps the path of an address out of the log where it is a secret", async () => {
  const outbound = createOutbound(
    {
      allowedSchemes: ["http"],
      blockedHosts: [],
      allowPrivateNetworks: true,
      maxResponseBytes: 1,
      timeoutMs: 500,
    },
    log,
    { hidesPaths: true },
  );
  cleanups.push(() => outbound.close());
  lines.length = 0;
  await outbound
    .request({ method: "POST", url: "http://127.0.0.1:1/services/T0/secret" })
    .catch(() => undefined);
  expect(JSON.stringify(lines)).not.toContain("secret");
  expect(lines[0]?.fields).toMatchObject({ url: "http://127.0.0.1:1" });
});
