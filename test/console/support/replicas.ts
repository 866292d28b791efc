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
  child: Child;
  url: string;
}

export const withReplicas = (work: (replicas: Replicas) => Promise<void>): Promise<void> =>
  withOwnPostgres("console-replicas", async (connection) => {
    const home = await mkdtemp(join(tmpdir(), "plinth-replicas-"));
    const mock = await startMockAdapter();
    const replicas: (Replica | null)[] = [null, null];
    const proxy = await startProxy({ targets: () => replicas.flatMap((each) => each?.url ?? []) });
    const start = async (index: number): Promise<void> => {
      replicas[index] = await startReplica(connection, { home, index });
    };
    const stop = async (index: number): Promise<void> => {
      const replica = replicas[index];
      // As a service does before a pod gets its signal.
      replicas[index] = null;
      if (replica) await stopChild(replica.child);
    };
    try {
      for (const index of replicas.keys()) await start(index);
      const guest = callerOf(proxy.url);
      await guest.call("POST", "/api/builder/register", mockOf(mock.url, "development"));
      await work({
        url: proxy.url,
        guest,
        async restartAll() {
          for (const index of replicas.keys()) {
            await stop(index);
            await start(index);
          }
        },
        async whileAllAreAway(during) {
          await Promise.all([...replicas.keys()].map(stop));
          await during();
          for (const index of replicas.keys()) await start(index);
        },
      });
    } finally {
      await Promise.all([...replicas.keys()].map(stop));
      await proxy.close();
      await mock.close();
      await rm(home, { recursive: true, force: true });
    }
  });

interface Place {
  home: string;
  index: number;
}

async function startReplica(connection: Connection, { home, index }: Place): Promise<Replica> {
  const child = startServer(
    {
      cwd: home,
      env: { ...databaseVariables(connection), ...settings },
      logFile: join(home, `${index}.log`),
    },
    ["--areas", "builder,assistant,coordinator,governance,data-layer"],
    sourceProgram,
  );
  const url = await servedUrl(child);
  return { child, url };
}

const settings = {
  PLINTH_SERVER_RATE_LIMIT_PER_MINUTE: "100000",
  PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: "50",
  PLINTH_COORDINATOR_EXECUTION_POLL_MAX_MS: "300",
};
