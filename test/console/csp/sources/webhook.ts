/** A receiver of webhooks that answers with payloads, which stay as the errors of deliveries. */
import { payloads } from "../../support/payloads.ts";
import { startHttpPeer, type HttpPeer } from "../../../support/http-peer.ts";

export function startRefusingReceiver(): Promise<HttpPeer> {
  let next = 0;
  return startHttpPeer((request, response) => {
    request.resume();
    const payload = payloads[next++ % payloads.length] ?? "";
    request.on("end", () => response.writeHead(400, { "content-type": "text/html" }).end(payload));
  });
}

export const webhookTo = (url: string) => ({
  name: "refusing",
  url,
  secrets: ["whsec_cGF5bG9hZHMtb2YtdGhlLWNvbnNvbGUtYXJlLW5vLXNlY3JldA=="],
  timeoutMs: 5000,
  parallel: 4,
  retryDelaysMs: [],
});
