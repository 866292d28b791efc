/** The guide names the connections that a process holds at most; operators set max_connections by it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectionLimits, maxConnections } from "../src/platform/db/connection-limits.ts";

it("the guide to scaling has the sums, and what they are made of", async () => {
  const file = join(import.meta.dirname, "../docs/guides/scaling.md");
  const guide = (await readFile(file, "utf8")).replaceAll(/\s+/g, " ");
  const [worker, api] = [maxConnections({ isWorker: true }), maxConnections({ isWorker: false })];
  expect(guide).toContain(`up to ${worker} per worker, ${api} per API process`);
  const { pool, listener, workerLease, jobs, jobsListener } = connectionLimits;
  expect(guide).toContain(
    `A worker has ${pool} connections for its statements, ${listener} for LISTEN, ${workerLease} for its session lock, ` +
      `${jobs.worker} for the job queue and ${jobsListener} for the queue's LISTEN.`,
  );
  expect(guide).toContain(
    `A process that only serves has ${pool}, ${listener} and ${jobs.sendOnly} for the queue.`,
  );
});
