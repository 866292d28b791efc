import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP server on this machine in place of somebody else's. */
export interface HttpPeer {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  port: number;
  /** Ends its connections too. */
  close: () => Promise<void>;
}

/** @param wanted the port; a free one unless given. */
export async function startHttpPeer(listener: RequestListener, wanted = 0): Promise<HttpPeer> {
  const server = createServer(listener).listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/**
 * A port on which nobody listens, for a server whose address has to be known before its start. It is none that the system gives
 * to those who ask for any, so that no other process gets it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const wanted = randomInt(20_000, 32_000);
    const peer = await startHttpPeer(() => undefined, wanted).catch(() => null);
    if (peer === null) continue;
    await peer.close();
    return peer.port;
  }
}
