import { request as sendRequest, type IncomingMessage } from "node:http";
import { duplexPair } from "node:stream";
import type { HttpServer } from "../server.ts";

export interface InnerCall {
  method: string;
  /** The path with its query. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Aborts the wait for the response; a write that has started still completes. */
  signal: AbortSignal;
  /** An answer that is longer rejects. */
  maxBytes: number;
}

export interface InnerAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/**
 * A request to a server of this process, over a connection in memory: it goes the way of every other request, through
 * the same parser, guard, checks, log and metrics.
 */
export const callInProcess = async (
  server: Pick<HttpServer, "adopt">,
  call: InnerCall,
): Promise<InnerAnswer> => {
  const [own, theirs] = duplexPair();
  server.adopt(theirs);
  const { promise, resolve, reject } = Promise.withResolvers<InnerAnswer>();
  const { method, path, headers, body, signal } = call;
  const bytes = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const request = sendRequest({
    createConnection: () => own,
    host: "localhost",
    method,
    path,
    signal,
    headers: { ...headers, ...bytes, connection: "close" },
  });
  request.on("error", reject);
  request.on("response", (response) => void readAll(response, call.maxBytes).then(resolve, reject));
  request.end(body);
  try {
    return await promise;
  } finally {
    own.destroy();
    theirs.destroy();
  }
};

const readAll = async (response: IncomingMessage, maxBytes: number): Promise<InnerAnswer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`The answer is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(chunks).toString("utf8"),
  };
};
