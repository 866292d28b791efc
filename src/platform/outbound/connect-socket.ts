/** Opens a connection to a checked address, for a program that speaks another protocol than HTTP over it. */
import { connect, type LookupFunction, type Socket } from "node:net";
import { OutboundError } from "./outbound-error.ts";

export interface SocketTarget {
  host: string;
  port: number;
  /** Until the connection is there. What is done over it afterwards has limits of its own. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface CheckedHost {
  /** As the policy has read it; a literal address has passed it. */
  hostname: string;
  /** Gives only addresses that the policy allows. */
  lookup: LookupFunction;
}

/** The caller owns the socket and its errors from then on. */
export function connectSocket(
  { port, timeoutMs, signal }: SocketTarget,
  { hostname, lookup }: CheckedHost,
): Promise<Socket> {
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  const origin = `tcp://${hostname}:${port}`;
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup });
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      socket.removeListener("error", fail);
      socket.removeListener("connect", done);
    };
    const fail = (error: Error): void => {
      release();
      socket.on("error", () => undefined);
      socket.destroy();
      reject(error);
    };
    const done = (): void => {
      release();
      resolve(socket);
    };
    const onAbort = (): void =>
      fail(new OutboundError("aborted", false, `The call to ${origin} was cancelled.`));
    const onTimeout = (): void =>
      fail(new OutboundError("timeout", false, `No connection to ${origin} could be made in time.`));
    const timer = setTimeout(onTimeout, timeoutMs);
    socket.once("error", fail);
    socket.once("connect", done);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}
