/** A drift check whose worker processes are stopped one after the other. */
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Validated } from "../../src/coordinator/adapters/protocol/answers.ts";
import type { AdapterClient } from "../../src/coordinator/adapters/protocol/client.ts";
import { insertCheck, readCheck } from "../../src/coordinator/watching/drift/store.ts";
import { startDriftWorker } from "../../src/coordinator/watching/drift/worker.ts";
import { newId, newTraceparent } from "../../src/platform/lib/ids.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { startWholeServer } from "../support/server.ts";
import { ended, ships, start } from "./ships.ts";

const unit = { ...ships("urn:dmb:dp:sea:drift:0"), environment: "development" };

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  const server = await startWholeServer({ db: { ...db, drop: async () => {} } });
  await server.registerMock();
  expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
  await server.close();
});
afterAll(() => db.drop());

const valid: Validated = { type: "validated", valid: true, problems: [], solutions: [], logs: [] };
const startWorker = (validate: AdapterClient["validate"]) =>
  startDriftWorker({
    database: db.database,
    adapters: { validate } as AdapterClient,
    log: silentLogger,
    now: () => new Date(),
    workerId: newId(),
    limits: { parallelComponents: 2, timeoutMs: 600_000, pollMs: 10 },
    callTimeoutMs: () => 600_000,
    askMs: () => null,
    schedules: [],
    reconcile: async () => false,
  });

it("does not count the times that it was stopped, and is made in the end", async () => {
  const id = newId();
  const { id: unitId, environment } = unit;
  await insertCheck(db.database.db, {
    id,
    unitKey: unitId,
    unitId,
    environment,
    trigger: "REQUESTED",
    requestedBy: "user:default/anna",
    traceparent: newTraceparent(),
    at: new Date(),
  });
  for (let stops = 1; stops <= 7; stops++) {
    const called = Promise.withResolvers<void>();
    const worker = await startWorker(async ({ signal }) => {
      called.resolve();
      if (signal?.aborted === false) await once(signal, "abort");
      return valid;
    });
    await called.promise;
    await worker.close();
    expect(await readCheck(db.database.db, id)).toMatchObject({
      status: "SCHEDULED",
      fence: stops,
      attempts: 0,
    });
  }
  const worker = await startWorker(async () => valid);
  const row = () => readCheck(db.database.db, id);
  await expect.poll(row).toMatchObject({ status: "COMPLETED", result: "NO_DRIFT", waiting: null });
  await worker.close();
});
