/** Connections of single users, for servers that receive the user's identity: a session there may belong to its user. */
import type { Actor } from "../../../platform/lib/actor.ts";
import type { Connection } from "./connection.ts";

export interface UserConnections {
  get(actor: Actor): Promise<Connection>;
  forget(connection: Connection | undefined): void;
  close(): Promise<void>;
}

const maxUsers = 200;
const idleMs = 5 * 60_000;

export function createUserConnections(open: (actor: Actor) => Promise<Connection>): UserConnections {
  const connections = new Map<string, { connection: Promise<Connection>; timer: NodeJS.Timeout }>();
  let closed = false;
  const drop = (key: string): void => {
    const entry = connections.get(key);
    if (entry === undefined) return;
    connections.delete(key);
    clearTimeout(entry.timer);
    void entry.connection.then((connection) => connection.close()).catch(() => undefined);
  };
  return {
    get(actor) {
      if (closed) return Promise.reject(new Error("The connections are closed."));
      const key = JSON.stringify([actor.ref, actor.provider, [...actor.roles].sort(), actor.scopes ?? null]);
      const entry = connections.get(key) ?? {
        connection: open(actor),
        timer: setTimeout(() => drop(key), idleMs).unref(),
      };
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
      for (const [key, entry] of connections) {
        void entry.connection.then(
          (made) => {
            if (made === connection && connections.get(key) === entry) drop(key);
          },
          () => undefined,
        );
      }
    },
    async close() {
      closed = true;
      for (const key of connections.keys()) drop(key);
    },
  };
}
