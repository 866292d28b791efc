/** A tech adapter that counts how many calls it has at the same time, in total and at most. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface NarrowAdapter {
  url: string;
  calls(): number;
  /** The largest number of calls at the same time. */
  mostAtOnce(): number;
  close(): Promise<void>;
}

const callMs = 150;

export async function startNarrowAdapter(): Promise<NarrowAdapter> {
  let calls = 0;
  let atOnce = 0;
  let most = 0;
  const server = createServer((request, response) => {
    calls++;
    most = Math.max(most, ++atOnce);
    // Also when the caller was killed and its connection is gone.
    response.once("close", () => atOnce--);
    request.resume();
    const isValidation = request.url?.endsWith("/validate") ?? false;
    const answer = isValidation ? { valid: true } : { status: "COMPLETED", result: "done" };
    setTimeout(() => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer));
    }, callMs);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls: () => calls,
    mostAtOnce: () => most,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
