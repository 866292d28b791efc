/** Connections of single users, for servers that receive the user's identity: a session there may belong to its user. */
import type { Actor } from "../../../platform/lib/actor.ts";
import type { Connection } from "./connection.ts";

export interface UserConnections {
  get(actor: Actor): Promise<Connection>;
  /** Gives the connection to nobody any more; it is closed when the calls that are under way by it have ended. */
  forget(connection: Connection | undefined): void;
  close(): Promise<void>;
}

const maxUsers = 200;
const idleMs = 5 * 60_000;

interface UserConnection {
  connection: Promise<Connection>;
  /** The same once it is open. */
  made: Connection | null;
  timer: NodeJS.Timeout;
}

export function createUserConnections(open: (actor: Actor) => Promise<Connection>): UserConnections {
  const connections = new Map<string, UserConnection>();
  let closed = false;
  const drop = (key: string): void => {
    const entry = connections.get(key);
    if (entry === undefined) return;
    connections.delete(key);
    clearTimeout(entry.timer);
    void entry.connection.then((connection) => connection.retire()).catch(() => undefined);
  };
  return {
    get(actor) {
      if (closed) return Promise.reject(new Error("The connections are closed."));
      const key = JSON.stringify([actor.ref, actor.provider, [...actor.roles].sort(), actor.scopes ?? null]);
      const entry = connections.get(key) ?? openEntry(open(actor), () => drop(key));
      entry.timer.refresh();
      // The one that was used longest ago comes first.
      connections.delete(key);
      connections.set(key, entry);
      entry.connection.catch(() => {
        if (connections.get(key) === entry) drop(key);
      });
      const [oldest] = connections.keys();
      if (connections.size > maxUsers && oldest !== undefined) drop(oldest);
      return entry.connection;
    },
    forget(connection) {
      for (const [key, { made }] of connections) if (made !== null && made === connection) drop(key);
    },
    async close() {
      closed = true;
      const entries = [...connections.values()];
      for (const key of connections.keys()) drop(key);
      for (const { connection } of entries)
        void connection.then((made) => made.close()).catch(() => undefined);
    },
  };
}

function openEntry(connection: Promise<Connection>, onIdle: () => void): UserConnection {
  const entry: UserConnection = { connection, made: null, timer: setTimeout(onIdle, idleMs).unref() };
  connection.then(
    (made) => void (entry.made = made),
    () => undefined,
  );
  return entry;
}
