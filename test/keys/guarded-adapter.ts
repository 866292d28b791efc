/** The mock behind a listener that knows callers by secrets, which can be changed while calls come. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { isAuthorised } from "../../src/adapters/kit/auth.ts";
import { startMockAdapter } from "../../src/adapters/mock/server.ts";
import { startHttpPeer } from "../support/http-peer.ts";

export interface GuardedAdapter {
  url: string;
  /** Which secrets it takes from now on. */
  takes(...secrets: string[]): void;
  /** How many calls came with that secret, or a token of it. */
  callsWith(secret: string): number;
  /** Calls without one that it takes. */
  refused(): number;
  close(): Promise<void>;
}

export async function startGuardedAdapter(first: string): Promise<GuardedAdapter> {
  const mock = await startMockAdapter();
  const calls = new Map<string, number>();
  let taken = [first];
  let refusals = 0;
  const secretOf = async (authorization: string | undefined): Promise<string | undefined> => {
    for (const secret of taken) if (await isAuthorised(authorization, [secret])) return secret;
    return undefined;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const secret = await secretOf(request.headers.authorization);
    if (secret === undefined) {
      refusals += 1;
      request.resume();
      response.writeHead(401).end();
      return;
    }
    calls.set(secret, (calls.get(secret) ?? 0) + 1);
    await passOn(mock.url, request, response);
  };
  const peer = await startHttpPeer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return {
    url: peer.url,
    takes: (...secrets) => void (taken = secrets),
    callsWith: (secret) => calls.get(secret) ?? 0,
    refused: () => refusals,
    async close() {
      await peer.close();
      await mock.close();
    },
  };
}

async function passOn(to: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "" } = request;
  const { "idempotency-key": key, "content-type": type } = request.headers;
  const answer = await fetch(`${to}${url}`, {
    method,
    headers: { ...(type && { "content-type": type }), ...(key && { "idempotency-key": String(key) }) },
    ...(method === "POST" && { body: await text(request) }),
  });
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
  response.end(await answer.text());
}
