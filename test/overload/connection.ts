/** HTTP over a raw socket at the least possible cost, because the load shares the machine with the server. */
import { connect, type Socket } from "node:net";

export interface RawAnswer {
  status: number;
  hasRetryAfter: boolean;
}

export interface Connection {
  /** One at a time; null when the connection ends without an answer. */
  send(request: string, onAnswer: (answer: RawAnswer | null) => void): void;
  /** Whether another request can be sent. */
  readonly isOpen: boolean;
  destroy(): void;
}

export function openConnection(port: number): Connection {
  const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let received = "";
  let isOpen = true;
  let pending: ((answer: RawAnswer | null) => void) | undefined;
  const settle = (answer: RawAnswer | null): void => {
    const settleRequest = pending;
    pending = undefined;
    received = "";
    settleRequest?.(answer);
  };
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    received += chunk;
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd === -1) return;
    const head = received.slice(0, headEnd).toLowerCase();
    const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
    if (received.length < headEnd + 4 + length) return;
    if (head.includes("connection: close")) isOpen = false;
    settle({ status: Number(head.slice(9, 12)), hasRetryAfter: head.includes("retry-after: ") });
    if (!isOpen) socket.end();
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    isOpen = false;
    settle(null);
  });
  return {
    get isOpen() {
      return isOpen;
    },
    send(request, onAnswer) {
      pending = onAnswer;
      socket.write(request, "latin1");
    },
    destroy: () => socket.destroy(),
  };
}
