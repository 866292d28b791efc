/** Two processes of the product on one database, behind a proxy, that are stopped and started as an upgrade does. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMockAdapter } from "../../../src/adapters/mock/server.ts";
import type { Connection } from "../../../src/platform/db/database.ts";
import {
  databaseVariables,
  servedUrl,
  sourceProgram,
  startServer,
  stopChild,
  type Child,
} from "../../crash/processes.ts";
import { withOwnPostgres } from "../../support/own-postgres.ts";
import { callerOf, type Caller } from "./caller.ts";
import { startProxy } from "./proxy.ts";
import { mockOf } from "./seed.ts";

export interface Replicas {
  /** Of the proxy. */
  url: string;
  guest: Caller;
  /** Stops each process with SIGTERM and starts it again, one after the other; resolves when both serve. */
  restartAll(): Promise<void>;
  /** Stops both, for as long as `work` takes. */
  whileAllAreAway(work: () => Promise<void>): Promise<void>;
}

interface Replica {
  child?: Child;
  /** While it serves. */
  url?: string;
}

export const withReplicas = (work: (replicas: Replicas) => Promise<void>): Promise<void> =>
  withOwnPostgres("console-replicas", async (connection) => {
    await using opened = new AsyncDisposableStack();
    const home = await mkdtemp(join(tmpdir(), "plinth-replicas-"));
    opened.defer(() => rm(home, { recursive: true, force: true }));
    const mock = await startMockAdapter();
    opened.defer(() => mock.close());
    const replicas: Replica[] = [{}, {}];
    const proxy = await startProxy({ targets: () => replicas.flatMap(({ url }) => url ?? []) });
    opened.defer(() => proxy.close());
    const start = async (replica: Replica): Promise<void> => {
      const child = startReplica(connection, { home, index: replicas.indexOf(replica) });
      replica.child = child;
      replica.url = await servedUrl(child);
    };
    const stop = async (replica: Replica): Promise<void> => {
      const { child } = replica;
      // As a service does before a pod gets its signal.
      delete replica.url;
      if (child) await stopChild(child);
    };
    opened.defer(async () => void (await Promise.all(replicas.map(stop))));
    for (const replica of replicas) await start(replica);
    const guest = callerOf(proxy.url);
    await guest.call("POST", "/api/builder/register", mockOf(mock.url, "development"));
    await work({
      url: proxy.url,
      guest,
      async restartAll() {
        for (const replica of replicas) {
          await stop(replica);
          await start(replica);
        }
      },
      async whileAllAreAway(during) {
        await Promise.all(replicas.map(stop));
        await during();
        for (const replica of replicas) await start(replica);
      },
    });
  });

interface Place {
  home: string;
  index: number;
}

const startReplica = (connection: Connection, { home, index }: Place): Child =>
  startServer(
    {
      cwd: home,
      env: { ...databaseVariables(connection), ...settings },
      logFile: join(home, `${index}.log`),
    },
    ["--areas", "builder,assistant,coordinator,governance,data-layer"],
    sourceProgram,
  );

const settings = {
  PLINTH_SERVER_RATE_LIMIT_PER_MINUTE: "100000",
  PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: "50",
  PLINTH_COORDINATOR_EXECUTION_POLL_MAX_MS: "300",
};
