/** The mock behind a door that knows callers by secrets, which can be changed while calls come. */
import { Readable } from "node:stream";
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
  const peer = await startHttpPeer(async (request, response) => {
    const secret = await secretOf(request.headers.authorization);
    if (secret === undefined) {
      refusals += 1;
      request.resume();
      return void response.writeHead(401).end();
    }
    calls.set(secret, (calls.get(secret) ?? 0) + 1);
    const { authorization: _known, host: _door, connection: _own, ...headers } = request.headers;
    const hasBody = request.method !== "GET" && request.method !== "DELETE";
    const answer = await fetch(`${mock.url}${request.url ?? ""}`, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: "half" }),
    });
    const text = await answer.text();
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
    response.end(text);
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
