import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { openDatabase } from "../database.ts";
import { migrate } from "./migrate.ts";
import { platformService } from "./service.ts";
import { endOnAbort, runLongStatement, takeLock } from "./migration-session.ts";
import { DatabaseWait } from "../../lib/database-wait.ts";
import { withinDatabaseWait } from "../../lib/request-scope.ts";
import { silentLogger } from "../../lib/logger.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

it("waits for a long statement beyond the limit of a start, and fails where the database does not work on it", async () => {
  const { database } = db;
  const client = await database.connect();
  const limit = new DatabaseWait(100);
  await withinDatabaseWait(limit, () => runLongStatement(client, "select pg_sleep(0.5)", database));
  // Its connection answers nothing any more, as one whose answer was lost.
  client.connection.stream.pause();
  await expect(runLongStatement(client, "select 1", database)).rejects.toMatchObject({
    code: "PLATFORM_DATABASE_UNAVAILABLE",
  });
  client.abandon();
}, 30_000);

it("gives up its wait for another process's migrations when the start is ended", async () => {
  const holder = await db.database.connect();
  const fresh = openDatabase({ connection: { ...db.connection, schema: "fresh" }, log: silentLogger });
  const stop = new AbortController();
  await takeLock(holder, platformService.lock);
  const migrating = migrate(fresh, { signal: stop.signal, newSchema: "fresh" }).catch(
    (error: Error) => error,
  );
  stop.abort();
  expect(await migrating).toBeInstanceOf(Error);
  await fresh.close();
  await holder.end();
}, 30_000);

it("ends the connection in the middle of a statement", async () => {
  const client = await db.database.connect();
  const stop = new AbortController();
  endOnAbort(client, stop.signal);
  const statement = client.query("select pg_sleep(60)");
  stop.abort();
  await expect(statement).rejects.toThrow("The start was ended.");
}, 30_000);
