/** A TCP proxy to the database (or to anything else) that a test can cut, stall, slow down and restore. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";
import { freePort } from "../support/http-peer.ts";

export interface Wire {
  port: number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  mend(): Promise<void>;
  /** New connections go to that port from now on, as after a change of a name; those that are open stay where they are. */
  lead(port: number): void;
  /** How many connections their users have open to that port. */
  openTo(port: number): number;
  /** The connections that their users have open now; the same one is the same object each time. */
  open(): Set<object>;
  /** From now on no bytes arrive on either side, while connections stay open; new ones are accepted and wait. */
  stall(): void;
  flow(): void;
  /** Each piece of data takes that much longer, in both directions; 0 ends it. */
  slow(delayMs: number): void;
  /** What the far side says is lost and the connection breaks: after half of a piece (torn), or before any of it. */
  loseAnswers(how: "torn" | "whole" | null): void;
  close(): void;
}

interface SocketPair {
  clientSocket: Socket;
  serverSocket: Socket;
  port: number;
}

/** How data passes just now, over every connection. */
interface Passage {
  /** Pending while the wire is stalled. */
  open: Promise<void>;
  delayMs: number;
  lost: "torn" | "whole" | null;
}

export async function openWire(host: string, firstPort: number): Promise<Wire> {
  let port = firstPort;
  const pairs = new Set<SocketPair>();
  const passage: Passage = { open: Promise.resolve(), delayMs: 0, lost: null };
  let release = (): void => {};
  const server = createServer((clientSocket) => {
    const serverSocket = connect(port, host);
    const pair = { clientSocket, serverSocket, port };
    pairs.add(pair);
    for (const [end, other] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      end.on("error", () => other.destroy());
      end.on("close", () => {
        if (other.destroyed) pairs.delete(pair);
        // What it has said to its end may still be on its way to the other.
        if (!end.readableEnded) other.destroy();
      });
    }
    clientSocket.pipe(channel(passage, () => true)).pipe(serverSocket);
    serverSocket.pipe(channel(passage, (data) => mayAnswer(passage, pair, data))).pipe(clientSocket);
  });
  // Nobody else may get the port while the wire is cut.
  const own = await freePort();
  server.listen(own, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    server.close();
    for (const { clientSocket, serverSocket } of pairs) {
      clientSocket.destroy();
      serverSocket.destroy();
    }
  };
  return {
    port: own,
    cut,
    async mend() {
      server.listen(own, "127.0.0.1");
      await once(server, "listening");
    },
    lead: (to) => void (port = to),
    openTo: (to) => [...pairs].filter((pair) => pair.port === to && !pair.clientSocket.destroyed).length,
    open: () =>
      new Set(
        [...pairs].filter(({ clientSocket }) => !clientSocket.destroyed && !clientSocket.readableEnded),
      ),
    stall() {
      const { promise, resolve } = Promise.withResolvers<void>();
      passage.open = promise;
      release = resolve;
    },
    flow: () => release(),
    slow: (delayMs) => (passage.delayMs = delayMs),
    loseAnswers: (how) => (passage.lost = how),
    close: cut,
  };
}

function channel(passage: Passage, mayPass: (data: Buffer) => boolean): Transform {
  return new Transform({
    transform(data: Buffer, _encoding, done) {
      const pass = async (): Promise<void> => {
        if (passage.delayMs > 0) await new Promise((next) => setTimeout(next, passage.delayMs));
        await passage.open;
        if (mayPass(data)) done(null, data);
      };
      void pass();
    },
  });
}

function mayAnswer({ lost }: Passage, { clientSocket, serverSocket }: SocketPair, data: Buffer): boolean {
  if (lost === null) return true;
  const reset = (): void => {
    clientSocket.resetAndDestroy();
    serverSocket.destroy();
  };
  if (lost === "torn") clientSocket.write(data.subarray(0, data.length / 2), reset);
  else reset();
  return false;
}
