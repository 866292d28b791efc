/** A proxy in front of an adapter: every call gets through, and the answers to some are held back until they are released. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface HeldAnswers {
  url: string;
  /** Lets through what was held, and holds nothing more. */
  release(): void;
  close(): Promise<void>;
}

/** @param text answers are held on a connection from the first call that contains it. */
export async function holdAnswers(adapterUrl: string, text: string): Promise<HeldAnswers> {
  const sockets = new Set<Socket>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    const adapter = connect(Number(new URL(adapterUrl).port), "127.0.0.1");
    let passage = Promise.resolve();
    for (const [end, other] of [
      [socket, adapter],
      [adapter, socket],
    ] as const) {
      sockets.add(end);
      end.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
    socket.on("data", (data) => {
      if (data.includes(text)) passage = released;
      adapter.write(data);
    });
    adapter.on("data", (data) => void passage.then(() => socket.write(data)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
