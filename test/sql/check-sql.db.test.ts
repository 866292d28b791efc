import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowances, type Allowances } from "../../scripts/check-sql/allowances.ts";
import { checkSql } from "../../scripts/check-sql/check.ts";
import { parseProject, readProject } from "../../scripts/check-sql/sources.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

let db: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  db = await testDatabase();
  const { host, port, user, password, dbname, schema } = db.connection;
  // Governance's tables have other names, but for those that are the same in both.
  const options = `-c search_path=${schema},coordinator`;
  client = new pg.Client({ host, port, user, password, database: dbname, options });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await db.drop();
});

const none: Allowances = { unread: [], neverNull: [] };
const path = "src/planted/store.ts";

/** What the check says of one file, without its path. */
const faultsOf = async (text: string, allowed = none): Promise<string[]> => {
  const others = {
    "src/planted/types.ts": `export interface Unit { unitId: string; descriptor: object | null }`,
  };
  const project = parseProject(new Map(Object.entries({ ...others, [path]: text })));
  const { problems } = await checkSql(client, project, allowed);
  return problems.map((problem) => problem.replace(`${path}:`, ""));
};

const inFunction = (statement: string): string =>
  `import { sql } from "../platform/db/sql.ts";\nimport type { Unit } from "./types.ts";\n` +
  `export async function read(db: Db, at: Key, names: string[], order: "asc" | "desc") {\n  ${statement}\n}`;

it("finds nothing in the sources", async () => {
  const project = readProject(fileURLToPath(new URL("../..", import.meta.url)), "src");
  const { problems, statements, typed } = await checkSql(client, project, allowances);
  expect(problems).toEqual([]);
  expect(statements).toBeGreaterThan(400);
  expect(typed).toBeGreaterThan(200);
});

describe("sees", () => {
  it.each([
    [
      "a column that there is not",
      'await sql<Unit>`select unit_nr as "unitId", descriptor from units`.execute(db);',
      '4 PostgreSQL refuses it: column "unit_nr" does not exist',
    ],
    [
      "a claimed column that is not returned",
      "await sql<Unit>`select unit_id, descriptor from units`.execute(db);",
      '4 "unitId" is claimed, but the statement does not return it.',
    ],
    [
      "a wrong type",
      "await sql<{ updated_at: string }>`select updated_at from units`.execute(db);",
      '4 "updated_at" is timestamptz, but string is claimed.',
    ],
    [
      "a wrong type of items",
      "await sql<{ keys: number[] }>`select array_agg(unit_key) as keys from units group by environment`.execute(db);",
      '4 "keys" is _text, but an array is claimed.',
    ],
    [
      "a date within JSON",
      "await sql<{ all: { at: Date }[] }>`select coalesce(json_agg(u), '[]') as all from units u`.execute(db);",
      '4 "all" is json, but an array is claimed.',
    ],
    [
      "a column that may be null",
      "await sql<{ last_plan_id: string }>`select last_plan_id from units`.execute(db);",
      '4 "last_plan_id" may be null, but null is not claimed.',
    ],
    [
      "the outer side of a join",
      "await sql<{ id: string }>`select o.id from units u left join operations o using (unit_key)`.execute(db);",
      '4 "id" may be null, but null is not claimed.',
    ],
    [
      "an aggregate over no rows",
      "await sql<{ last: Date }>`select max(updated_at) as last from units`.execute(db);",
      '4 "last" may be null, but null is not claimed.',
    ],
    [
      "what a writing part of a statement returns",
      "await sql<{ id: string }>`with a as (delete from units returning last_plan_id as id) select id from a`.execute(db);",
      '4 "id" may be null, but null is not claimed.',
    ],
    [
      "one variant of a condition",
      "const more = names.length > 0 ? sql`where unit_nr = 1` : sql``;\n  await sql`select 1 from units ${more}`.execute(db);",
      '5 PostgreSQL refuses it: column "unit_nr" does not exist',
    ],
    [
      "a statement of the driver",
      'await pool.query<{ unit_id: number }>({ text: "select unit_id from units where unit_key = $1" });',
      '4 "unit_id" is text, but number is claimed.',
    ],
    [
      "a text that is known only at run time",
      "await sql`select ${sql.raw(names[0])} from units`.execute(db);",
      "4 This SQL can't be read: sql.raw(names[0])",
    ],
    [
      "a fragment that no statement has",
      "return sql`where unit_nr = 1`;",
      "4 This SQL can't be read: sql`where unit_nr = 1`",
    ],
  ])("%s", async (_what, statement, fault) => {
    const faults = await faultsOf(inFunction(statement));
    expect(faults.map((each) => each.split("\n")[0])).toEqual([fault]);
  });

  it("a fault in a fragment that another function gives", async () => {
    const faults = await faultsOf(`import { sql, type Sql } from "../platform/db/sql.ts";
      const one = (db: Db, condition: Sql) => sql\`select 1 from units where \${condition}\`.execute(db);
      export const first = (db: Db, key: string) => one(db, sql\`unit_key = \${key}\`);
      export const second = (db: Db, key: string) => one(db, sql\`unit_nr = \${key}\`);`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('column "unit_nr" does not exist');
  });

  it("allowances that nothing needs", async () => {
    const faults = await faultsOf(inFunction("await sql`select 1 from units`.execute(db);"), {
      unread: [{ path, count: 1, reason: "" }],
      neverNull: [{ path, column: "id", reason: "" }],
    });
    expect(faults).toHaveLength(2);
  });
});

describe("lets pass", () => {
  it.each([
    [
      "a row type of another file",
      'await sql<Unit>`select unit_id as "unitId", descriptor from units`.execute(db);',
    ],
    [
      "unions of texts",
      'await sql<{ a: "x" | "y" | null }>`select last_plan_id as a from units`.execute(db);',
    ],
    [
      "a condition",
      "await sql<{ a: string }>`select last_plan_id as a from units where last_plan_id > ''`.execute(db);",
    ],
    [
      "counts",
      "await sql<{ n: number; m: number[] }>`select count(*) as n, array[1] as m from units`.execute(db);",
    ],
    [
      "an inner join",
      "await sql<{ id: string }>`select o.id from units u join operations o using (unit_key)`.execute(db);",
    ],
    [
      "the columns that a full join merges",
      "await sql<{ a: string }>`select unit_key as a from units u full join operations o using (unit_key)`.execute(db);",
    ],
    ["coalesce", "await sql<{ a: string }>`select coalesce(last_plan_id, '') as a from units`.execute(db);"],
    [
      "lists of conditions, and directions",
      "const some = [sql`true`];\n  if (at) some.push(sql`unit_key = ${at}`);\n  await sql`select 1 from units " +
        "where ${sql.join(some, sql` and `)} order by unit_key ${sql.raw(order)} limit ${5}`.execute(db);",
    ],
    [
      "a column that is returned for what it does",
      "await sql<{ a: number }>`select 1 as a, pg_notify('a', '')`.execute(db);",
    ],
  ])("%s", async (_what, statement) => {
    expect(await faultsOf(inFunction(statement))).toEqual([]);
  });
});
