import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { silentLogger } from "../lib/logger.ts";
import { createOutbound, type Outbound } from "./outbound.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function client(blockedHosts: string[] = []): Outbound {
  const outbound = createOutbound(
    {
      allowedSchemes: ["http"],
      blockedHosts,
      allowPrivateNetworks: true,
      maxResponseBytes: 1_000_000,
      timeoutMs: 10_000,
    },
    silentLogger,
  );
  cleanups.push(() => outbound.close());
  return outbound;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const wanted = (url: string) => ({ method: "GET", url, idleMs: 5_000 }) as const;

it("hands over each part before the next one is written", async () => {
  let next: () => void = () => {};
  const url = await serve((_request, response) => {
    const parts = ["one", "two", "three"];
    next = () => {
      const part = parts.shift();
      if (part === undefined) response.end();
      else response.write(part);
    };
    next();
  });
  const { status, body } = await client().stream(wanted(url));
  const seen: string[] = [];
  for await (const part of body) {
    seen.push(part.toString());
    next();
  }
  expect({ status, seen }).toEqual({ status: 200, seen: ["one", "two", "three"] });
});

it("opens as many streams to one peer as are asked for, and leaves room for short calls", async () => {
  const open = new Set<() => void>();
  const url = await serve((request, response) => {
    if (request.url === "/short") response.end("short");
    else {
      response.write("begun");
      open.add(() => response.end());
    }
  });
  const outbound = client();
  const streams = await Promise.all(Array.from({ length: 300 }, () => outbound.stream(wanted(url))));
  expect(open.size).toBe(300);
  const short = await outbound.request({ method: "GET", url: `${url}short` });
  expect(short.body.toString()).toBe("short");
  for (const end of open) end();
  for (const { body } of streams) for await (const part of body) expect(part.toString()).toBe("begun");
});

it.each([
  ["a silence", { idleMs: 50 }, "timeout"],
  ["too long a call", { timeoutMs: 50 }, "timeout"],
  ["too many bytes", { maxResponseBytes: 2 }, "too_large"],
])("ends at %s", async (_, limits, reason) => {
  const url = await serve((_request, response) => void response.write("first"));
  const read = async () => {
    const { body } = await client().stream({ ...wanted(url), ...limits });
    for await (const part of body) expect(part.toString()).toBe("first");
  };
  await expect(read()).rejects.toMatchObject({ reason });
});

it("throws when the peer breaks off", async () => {
  const url = await serve((_request, response) => {
    response.write("first", () => response.destroy());
  });
  const { body } = await client().stream(wanted(url));
  const read = async () => {
    for await (const part of body) expect(part.toString()).toBe("first");
  };
  await expect(read()).rejects.toMatchObject({ reason: "reset" });
});

it.each(["the reader stops", "the signal is aborted"])("hangs up when %s", async (how) => {
  const gone = Promise.withResolvers<void>();
  const url = await serve((_request, response) => {
    response.write("first");
    response.on("close", () => gone.resolve());
  });
  const stop = new AbortController();
  const { body } = await client().stream({ ...wanted(url), signal: stop.signal });
  const read = async () => {
    for await (const part of body) {
      expect(part.toString()).toBe("first");
      if (how === "the reader stops") break;
      stop.abort();
    }
  };
  if (how === "the reader stops") await read();
  else await expect(read()).rejects.toMatchObject({ reason: "aborted" });
  await gone.promise;
});

it("makes the peer wait for a slow reader and loses nothing", async () => {
  const url = await serve((_request, response) => {
    for (let part = 0; part < 200; part += 1) response.write(Buffer.alloc(4_096, part));
    response.end();
  });
  const { body } = await client().stream(wanted(url));
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    await new Promise((done) => setImmediate(done));
  }
  expect(bytes).toBe(200 * 4_096);
});

it("refuses what the policy refuses", async () => {
  await expect(client(["127.0.0.1"]).stream(wanted("http://127.0.0.1:1/"))).rejects.toMatchObject({
    reason: "refused_by_policy",
  });
});
