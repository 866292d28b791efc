import { afterEach, expect, it } from "vitest";
import { openFaultyDatabase, queryFaults } from "../../../test/faults/start-faults/faulty-database.ts";
import { testDatabase } from "../../../test/support/database.ts";
import { openDatabase } from "../db/database.ts";
import { silentLogger } from "../lib/logger.ts";
import { startJobs } from "./jobs.ts";

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).toReversed()) await each();
});

it.each(queryFaults)("starts, and says that it polls, where its LISTEN ends %s", async (how) => {
  const db = await testDatabase();
  undo.push(() => db.drop());
  const faulty = await openFaultyDatabase(db.connection.host, db.connection.port, {
    at: "text",
    text: "LISTEN",
    how,
  });
  undo.push(() => faulty.close());
  const database = openDatabase({
    connection: { ...db.connection, port: faulty.port },
    log: silentLogger,
    poolSize: 1,
  });
  undo.push(() => database.close());
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) };

  const jobs = await startJobs({ database, log, queues: ["probe"], sendOnly: false });

  await faulty.hit;
  expect(warnings).toContain("the job queue warns");
  const taken = Promise.withResolvers<object>();
  await jobs.work("probe", async (data) => taken.resolve(data));
  await jobs.send(database.db, "probe", { probe: 1 });
  expect(await taken.promise).toEqual({ probe: 1 });
  await jobs.close(1_000);
});
