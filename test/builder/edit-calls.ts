/** Shared by the tests of templates that publish to repositories of a whole server. */
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import type { Answer, TestRole, WholeServer } from "../support/server.ts";

/** Addresses of our repositories contain the port, so it must be known before the server starts. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** `POST` with a body, `GET` without one. */
export async function callAs(
  server: WholeServer,
  { as, path, body }: { as: TestRole; path: string; body?: object | undefined },
): Promise<Answer> {
  const response = await fetch(server.url + path, {
    headers: { authorization: `Bearer ${server.token(as)}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: text === "" ? null : JSON.parse(text) };
}
