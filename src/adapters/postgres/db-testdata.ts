/** A database with an adapter over it for one test file, emptied before each test. */
import { afterAll, beforeAll, beforeEach, expect } from "vitest";

import { startTestAdapter, system, unitOf } from "./testdata.ts";
import type { TestAdapter } from "./testdata.ts";

export const all = unitOf(system);

/** What the adapter's tests need of a database of their own. */
interface TestDatabase {
  url: string;
  connection: { dbname: string };
  drop(): Promise<void>;
}

/** Registers the hooks of the file; the adapter and the database are there once its tests run. */
export function useAdapter(testDatabase: () => Promise<TestDatabase>): {
  adapter: TestAdapter;
  database: () => TestDatabase;
} {
  let database: TestDatabase | undefined;
  let started: TestAdapter | undefined;
  const current = (): TestAdapter => {
    if (!started) throw new Error("the adapter has not been started");
    return started;
  };
  beforeAll(async () => {
    database = await testDatabase();
    started = await startTestAdapter(database.url);
  });
  afterAll(async () => {
    await started?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    await current().rows("DROP SCHEMA IF EXISTS fleet CASCADE; DROP SCHEMA IF EXISTS plinth_adapter CASCADE");
  });
  const adapter: TestAdapter = {
    post: (...args) => current().post(...args),
    get: (...args) => current().get(...args),
    remove: (...args) => current().remove(...args),
    validate: (...args) => current().validate(...args),
    provision: (...args) => current().provision(...args),
    unprovision: (...args) => current().unprovision(...args),
    updateAcl: (...args) => current().updateAcl(...args),
    rows: (...args) => current().rows(...args),
    close: () => current().close(),
  };
  return {
    adapter,
    database: () => {
      if (!database) throw new Error("the database has not been made");
      return database;
    },
  };
}

export async function provisionAll(
  adapter: TestAdapter,
  names = ["vehicles", "load", "latest", "readers"],
): Promise<void> {
  for (const name of names) {
    const answer = await adapter.provision(all, name);
    expect(answer, `${name}: ${JSON.stringify(answer.json)}`).toMatchObject({ status: 200 });
  }
}

/** Everything in the schema, with columns, definitions and grants: equal texts mean nothing has changed. */
export async function picture(adapter: TestAdapter): Promise<unknown> {
  return {
    relations: await adapter.rows(
      `SELECT c.relname, c.relkind, pg_get_userbyid(c.relowner) AS owner, c.relacl::text AS acl,
         CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END AS text,
         array_agg((a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, col_description(c.oid, a.attnum))::text
           ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = to_regnamespace('fleet') AND c.relkind IN ('r', 'v', 'm') GROUP BY c.oid ORDER BY 1`,
    ),
    constraints: await adapter.rows(
      `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
       WHERE connamespace = to_regnamespace('fleet') ORDER BY 1, 2`,
    ),
  };
}

/** Roles with any privilege on a relation of the schema, beside its owner. */
export async function readersOf(adapter: TestAdapter, view: string): Promise<string[]> {
  const rows =
    await adapter.rows(`SELECT pg_get_userbyid(g.grantee)::text AS role FROM pg_class c, aclexplode(c.relacl) g
    WHERE c.oid = 'fleet.${view}'::regclass AND g.grantee <> c.relowner ORDER BY 1`);
  return rows.map((row) => row.role);
}
