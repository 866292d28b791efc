/** Metrics of what every process has: its program, its connections, the workers beside it, and the job queue. */
import type pg from "pg";
import type { PlatformNumbers } from "../jobs/worker-store.ts";
import type { QueueCounts } from "../jobs/jobs.ts";
import type { AddNumbers } from "../telemetry/database-numbers.ts";
import type { Instruments } from "../telemetry/instruments.ts";

/** By the name of what they are for. */
type Pools = Readonly<Record<string, Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">>>;

export interface PlatformParts {
  instruments: Instruments;
  numbers: AddNumbers;
  /** Of the program. */
  version: string;
  schemaVersion: number;
  /** Milliseconds since 1970, by this process's clock. */
  now: () => number;
  read: () => Promise<PlatformNumbers>;
  countJobs: () => Promise<QueueCounts[]>;
}

export function registerPlatformMetrics(parts: PlatformParts): void {
  const { instruments, version, schemaVersion } = parts;
  instruments.gauge(
    {
      name: "plinth_build_info",
      help: "Always 1; the labels are the program's version and the newest migration that it knows.",
      labels: ["version", "schema"],
    },
    (set) => set(1, [version, String(schemaVersion)]),
  );
  registerWorkers(parts);
  registerJobs(parts);
}

/** Before anything that reads from a database at a scrape, so that a scrape does not count its own statements. */
export function registerPools(instruments: Instruments, pools: Pools): void {
  instruments.gauge(
    {
      name: "plinth_database_pool_connections",
      help: "Connections of this process's pools, by pool and state: active or idle.",
      labels: ["pool", "state"],
    },
    (set) => {
      for (const [name, { totalCount, idleCount }] of Object.entries(pools)) {
        set(totalCount - idleCount, [name, "active"]);
        set(idleCount, [name, "idle"]);
      }
    },
  );
  instruments.gauge(
    {
      name: "plinth_database_pool_waiting",
      help: "Statements of this process that wait for a connection, by pool.",
      labels: ["pool"],
    },
    (set) => {
      for (const [name, { waitingCount }] of Object.entries(pools)) set(waitingCount, [name]);
    },
  );
}

function registerWorkers({ numbers, read, now }: PlatformParts): void {
  const database = numbers("database", async () => {
    const askedAt = now();
    const found = await read();
    // The database has looked at its clock between the question and the answer.
    return { ...found, skewSeconds: (askedAt + now()) / 2_000 - found.clock };
  });
  database.gauge(
    {
      name: "plinth_workers",
      help: "Workers of all processes, by state: alive, or dead (ended without a farewell within the last day).",
      labels: ["state"],
    },
    ({ aliveWorkers, deadWorkers }, set) => {
      set(aliveWorkers, ["alive"]);
      set(deadWorkers, ["dead"]);
    },
  );
  database.gauge(
    {
      name: "plinth_worker_heartbeat_oldest_seconds",
      help: "Of the workers that are alive, the longest time since a heartbeat; a worker is dead after coordinator.execution.leaseMs.",
    },
    ({ oldestHeartbeatSeconds }, set) => set(oldestHeartbeatSeconds),
  );
  database.gauge(
    {
      name: "plinth_database_connections",
      help: "Connections of all clients to the server of the database.",
    },
    ({ connections }, set) => set(connections),
  );
  database.gauge(
    {
      name: "plinth_database_max_connections",
      help: "Connections that the server of the database takes (max_connections).",
    },
    ({ maxConnections }, set) => set(maxConnections),
  );
  database.gauge(
    {
      name: "plinth_clock_skew_seconds",
      help: "How far this process's clock is ahead of the database's.",
      isShared: false,
    },
    ({ skewSeconds }, set) => set(skewSeconds),
  );
}

function registerJobs({ numbers, countJobs }: PlatformParts): void {
  numbers("jobs", countJobs).gauge(
    {
      name: "plinth_jobs",
      help: "Background jobs, by queue and state: ready, active or failed. The queue counts them once a minute.",
      labels: ["queue", "state"],
    },
    (queues, set) => {
      for (const { queue, ready, active, failed } of queues) {
        set(ready, [queue, "ready"]);
        set(active, [queue, "active"]);
        set(failed, [queue, "failed"]);
      }
    },
  );
}
