import { createServer, type AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { request } from "undici";
import { openEarlyListener } from "./early-listener.ts";

const anyPort = { host: "127.0.0.1", port: 0 };

it("says that the process lives, and what it waits for, until somebody serves", async () => {
  const earlyListener = await openEarlyListener(anyPort, () => ["the migrations"]);
  const ask = async (path: string) => {
    const { statusCode, headers, body } = await request(earlyListener.address.url + path);
    return { statusCode, retryAfter: headers["retry-after"], text: await body.text() };
  };
  expect(await ask("/healthz")).toEqual({ statusCode: 200, text: '{"status":"ok"}' });
  expect(await ask("/readyz?verbose")).toEqual({
    statusCode: 503,
    retryAfter: "1",
    text: '{"status":"not ready","checks":[{"name":"start","ok":false,"reason":"the start is at: the migrations"}]}',
  });
  const refused = await ask("/api/coordinator/v1/plans");
  expect(refused).toMatchObject({ statusCode: 503, retryAfter: "1" });
  expect(JSON.parse(refused.text)).toMatchObject({ error: { code: "PLATFORM_STARTING", problems: [] } });

  earlyListener.serve((_incoming, response) => response.end("served"));
  expect((await ask("/readyz")).text).toBe("served");
  await earlyListener.close();
  await expect(request(earlyListener.address.url)).rejects.toThrow();
});

it("says what to do when the port is taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => taken.once("listening", listening));
  const { port } = taken.address() as AddressInfo;
  await expect(openEarlyListener({ ...anyPort, port }, () => [])).rejects.toMatchObject({
    code: "PLATFORM_LISTEN",
    message: `The address 127.0.0.1:${port} is in use by another process.`,
  });
  taken.close();
});
