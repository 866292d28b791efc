/** A way to the database (or to anything else that speaks TCP) that a test can cut, stall and mend. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Wire {
  port: number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  mend(): Promise<void>;
  /** From now on nothing arrives on either side, though every connection stands; new ones are taken and wait. */
  stall(): void;
  flow(): void;
  close(): void;
}

interface Strand {
  near: Socket;
  far: Socket;
}

export async function openWire(host: string, port: number): Promise<Wire> {
  const strands = new Set<Strand>();
  let stalled = false;
  const door = createServer((near) => {
    const far = connect(port, host);
    const strand = { near, far };
    strands.add(strand);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      end.on("error", () => other.destroy());
      end.on("close", () => {
        strands.delete(strand);
        other.destroy();
      });
    }
    if (!stalled) join(strand);
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const own = (door.address() as AddressInfo).port;
  const cut = (): void => {
    door.close();
    for (const { near, far } of strands) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: own,
    cut,
    async mend() {
      door.listen(own, "127.0.0.1");
      await once(door, "listening");
    },
    stall() {
      stalled = true;
      for (const { near, far } of strands) {
        near.unpipe(far);
        far.unpipe(near);
      }
    },
    flow() {
      stalled = false;
      for (const strand of strands) join(strand);
    },
    close: cut,
  };
}

function join({ near, far }: Strand): void {
  near.pipe(far);
  far.pipe(near);
}
