import type { Server } from "node:http";
import { createServer, type ListenOptions, type Server as NetServer } from "node:net";
import { Failure } from "../../errors/failure.ts";

export interface Address {
  host: string;
  port: number;
  url: string;
}

export interface Listening {
  address: Address;
  /** Closes the additional listeners; the server itself is closed by its owner. */
  stop: () => void;
}

/**
 * Node accepts one connection of each listener in a tick of the event loop. With a single listener a busy
 * process accepts few: at 20 ms a tick, fifty new connections in a second, health checks among them.
 */
const listeners = 16;
/** Length of the accept queue of each listener; the system may allow fewer. */
const backlog = 1024;

/** Opens the server's address. Throws a Failure that says what to change when it cannot be had. */
export const listenOn = async (
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<Listening> => {
  try {
    if (port !== 0) await refuseUsed({ host, port });
    const isShared = await openShared(server, { host, port });
    const { address, port: actual } = boundOf(server);
    const others = isShared ? await openOthers(server, { host: address, port: actual }) : [];
    const shown = host.includes(":") ? `[${host}]` : host;
    return {
      address: { host, port: actual, url: `http://${shown}:${actual}` },
      stop: () => others.forEach((other) => other.close()),
    };
  } catch (error) {
    server.close();
    throw listenFailure(error, `${host}:${port}`);
  }
};

const open = async (server: NetServer, at: ListenOptions): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(at, resolve);
  try {
    await promise;
  } finally {
    server.off("error", reject);
  }
};

/** Shared listeners would silently share with another process as well, when that shares too. */
const refuseUsed = async (at: ListenOptions): Promise<void> => {
  const probe = createServer();
  await open(probe, at);
  const { promise, resolve } = Promise.withResolvers<void>();
  probe.close(() => resolve());
  await promise;
};

/** Whether others may listen beside it; not every system can do that. */
const openShared = async (server: Server, at: ListenOptions): Promise<boolean> => {
  try {
    await open(server, { ...at, backlog, reusePort: true });
    return true;
  } catch (error) {
    if (!cannotShare.has(codeOf(error))) throw error;
    await open(server, { ...at, backlog });
    return false;
  }
};

const cannotShare = new Set(["ENOTSUP", "EOPNOTSUPP", "ENOPROTOOPT", "EINVAL"]);

const openOthers = async (server: Server, at: ListenOptions): Promise<NetServer[]> => {
  const others = Array.from({ length: listeners - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit("connection", socket)),
  );
  try {
    for (const other of others) await open(other, { ...at, backlog, reusePort: true });
  } catch (error) {
    for (const other of others) other.close();
    throw error;
  }
  return others;
};

const boundOf = (server: Server): { address: string; port: number } => {
  const bound = server.address();
  if (typeof bound === "object" && bound !== null) return bound;
  throw new Error("The server has no address.");
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

const codeOf = (error: unknown): string =>
  error instanceof Error ? String(Reflect.get(error, "code")) : "unknown";

const listenFailure = (error: unknown, address: string): Failure => {
  const code = codeOf(error);
  const reason = reasons[code] ?? {
    message: `could not be opened (${code})`,
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
