/**
 * A receiver of OTLP over HTTP as a process: decodes the spans that exporters send to /v1/traces, and answers them at /spans, in the order in
 * which they ended. Prints its address as a line of JSON.
 *
 *   node test/traces/receiver.ts <folder with the SDK>
 */
import { buffer } from "node:stream/consumers";
import { startHttpPeer } from "../support/http-peer.ts";
import { createDecoder, type ReceivedSpan } from "./otlp.ts";

const decode = createDecoder(process.argv[2] ?? "");
const spans: ReceivedSpan[] = [];
/** What exporters sent, by its type. */
const received: Record<string, number> = {};

// oxlint-disable-next-line typescript/no-misused-promises -- a failure ends the process of the receiver
const { url } = await startHttpPeer(async (request, response) => {
  if (request.method === "GET") {
    const text = JSON.stringify({ spans, received }, (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    response.writeHead(200, { "content-type": "application/json" }).end(text);
    return;
  }
  const type = request.headers["content-type"] ?? "";
  spans.push(...decode(await buffer(request), type));
  received[type] = (received[type] ?? 0) + 1;
  response.writeHead(200, { "content-type": type }).end(type.includes("json") ? "{}" : "");
});
console.log(JSON.stringify({ listening: url }));
