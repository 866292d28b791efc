import type { Server } from "node:http";
import { Failure } from "../errors/failure.ts";

export interface Address {
  host: string;
  port: number;
  url: string;
}

/** Opens the server's address. Throws a Failure that says what to change when it cannot be had. */
export const listenOn = async (
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<Address> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host, port }, resolve);
  try {
    await promise;
  } catch (error) {
    throw listenFailure(error, `${host}:${port}`);
  } finally {
    server.off("error", reject);
  }
  const bound = server.address();
  const actual = typeof bound === "object" && bound !== null ? bound.port : port;
  const shown = host.includes(":") ? `[${host}]` : host;
  return { host, port: actual, url: `http://${shown}:${actual}` };
};

const reasons: Record<string, { message: string; solution: string }> = {
  EADDRINUSE: {
    message: "is in use by another process",
    solution: "Stop that process, or set server.port to another number (0 takes a free one).",
  },
  EACCES: {
    message: "may not be opened by this user",
    solution: "Set server.port to a number above 1023, or run as a user who may open it.",
  },
  EADDRNOTAVAIL: {
    message: "is not an address of this machine",
    solution: "Set server.host to an address of this machine, or to 0.0.0.0 for all of them.",
  },
  ENOTFOUND: {
    message: "has a host name that does not resolve",
    solution: "Set server.host to an address of this machine.",
  },
};

const listenFailure = (error: unknown, address: string): Failure => {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  const reason = reasons[String(code)] ?? {
    message: `could not be opened (${String(code)})`,
    solution: "Set server.host and server.port to a free address of this machine.",
  };
  return new Failure({
    kind: "unavailable",
    code: "PLATFORM_LISTEN",
    message: `The address ${address} ${reason.message}.`,
    solutions: [reason.solution],
    cause: error,
  });
};
