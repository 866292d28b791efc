/** A process that serves the data layer alone, while a database of its sources is away. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPlinth, type Running } from "../../src/app.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { send, until, wholeServerConfig } from "../support/server.ts";

let db: TestDatabase;
let dataDir: string;
let running: Running;

beforeAll(async () => {
  db = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "plinth-away-"));
  const config = wholeServerConfig(db.connection, dataDir);
  const [coordinator] = config.dbs.sources;
  // Nobody listens there.
  Object.assign(coordinator!, { url: "postgres://u:p@127.0.0.1:9/x", isGiven: true });
  running = await startPlinth(config, { areas: ["data-layer"], workers: "off" }, silentLogger);
});
afterAll(async () => {
  await running.close();
  await db.drop();
  await rm(dataDir, { recursive: true, force: true });
});

it("starts, is not ready with the reason, and answers queries with it", async () => {
  const base = running.url ?? "";
  const ready = await until(
    () => send(base, { path: "/readyz", as: null }),
    ({ text }) => text.includes("does not answer"),
  );
  expect(ready.status).toBe(503);
  expect(ready.body.checks).toContainEqual({
    name: "area",
    ok: false,
    reason: "The data layer is not ready. coordinator: Its database does not answer.",
  });
  const answer = await send(`${base}/graphql`, {
    method: "POST",
    path: "",
    body: { query: "{ __typename }" },
  });
  expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([503, "GRAPHQL_NOT_READY"]);
  expect(answer.text).not.toMatch(/ECONNREFUSED|127\.0\.0\.1/);
  const metadata = await send(`${base}/api/data-layer/metadata`, { path: "" });
  expect(metadata.body.inconsistencies).toEqual([
    { source: "coordinator", message: "Its database does not answer." },
  ]);
});
