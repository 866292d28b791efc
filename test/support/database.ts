import { inject } from "vitest";
import { connectTo, openDatabase, type Connection, type Database } from "../../src/platform/db/database.ts";
import type { LimitedClient } from "../../src/platform/db/limited-client.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createOneByOne } from "../../src/platform/lib/one-by-one.ts";

export interface TestDatabase {
  database: Database;
  connection: Connection;
  /** `postgres://…` of the same database, for tools that take a URL. */
  url: string;
  drop(): Promise<void>;
}

/** A database of its own with all migrations applied, copied from the run's template in about 0.1 s. */
export const testDatabase = (): Promise<TestDatabase> => makeDatabase(inject("database").dbname);

/** The same without any migration. */
export const emptyTestDatabase = (): Promise<TestDatabase> => makeDatabase("template0");

async function makeDatabase(copied: string): Promise<TestDatabase> {
  const template = inject("database");
  const name = `test_${newId().replaceAll("-", "")}`;
  await asAdministrator(template, `create database ${name} template ${copied} strategy file_copy`);
  const connection = { ...template, dbname: name };
  const database = openDatabase({ connection, log: silentLogger });
  return {
    database,
    connection,
    url: `postgres://${connection.user}:${encodeURIComponent(connection.password)}@${connection.host}:${connection.port}/${name}`,
    async drop() {
      await database.close();
      await asAdministrator(template, `drop database ${name} with (force)`);
    },
  };
}

/** All files of a worker share it: a new connection for each statement would cost half as much as copying a database. */
let administrator: LimitedClient | undefined;
const oneByOne = createOneByOne();

const asAdministrator = (template: Connection, statement: string): Promise<void> =>
  oneByOne(async () => {
    administrator ??= await connectAsAdministrator(template);
    // Copies of one template at the same time exclude each other; a lock makes the workers wait for each other instead.
    await administrator.query("select pg_advisory_lock(7)");
    try {
      await administrator.query(statement);
    } finally {
      await administrator?.query("select pg_advisory_unlock(7)");
    }
  });

async function connectAsAdministrator(template: Connection): Promise<LimitedClient> {
  const client = await connectTo({ ...template, dbname: "postgres" });
  client.once("end", () => (administrator = undefined));
  return client;
}
