/** What is in the database after components were deployed, undeployed and deployed again. */
import { expect, test } from "vitest";

import { testDatabase } from "../../../test/support/database.ts";
import { all, picture, provisionAll, readersOf, useAdapter } from "./db-testdata.ts";
import {
  column,
  latest,
  load,
  loadSpecific,
  port,
  readers,
  storage,
  system,
  unitOf,
  vehicles,
  workload,
} from "./testdata.ts";
import type { Part } from "./testdata.ts";

const { adapter, database } = useAdapter(testDatabase);

test("the whole system is provisioned, answers say where, and doing it twice is doing it once", async () => {
  await provisionAll(adapter);
  expect(await adapter.rows("SELECT * FROM fleet.readers ORDER BY 1")).toEqual([
    { plate: "B-3" },
    { plate: "B-4" },
    { plate: "B-5" },
  ]);
  const once = await picture(adapter);
  await provisionAll(adapter);
  expect(await picture(adapter)).toEqual(once);
  expect(await adapter.rows("SELECT count(*)::int AS n FROM fleet.vehicles")).toEqual([{ n: 5 }]);
  const { json } = await adapter.provision(all, "readers");
  expect(json).toEqual({
    status: "COMPLETED",
    result: expect.any(String),
    info: {
      publicInfo: {
        host: expect.any(String),
        port: expect.any(Number),
        database: database().connection.dbname,
        schema: "fleet",
        view: "readers",
        rowCount: 3,
      },
      privateInfo: { role: "system:development:urn:dmb:dp:mobility:fleet:0", source: "fleet.latest" },
    },
    logs: [
      {
        timestamp: expect.any(String),
        level: "INFO",
        message: expect.stringContaining("as declared already"),
      },
    ],
  });
});

test("parallel calls for the components of one layer, several times over, all succeed", async () => {
  const tables = Array.from({ length: 8 }, (_, i) => storage(`t${i}`, [column("id", "INT")]));
  const unit = unitOf(tables);
  const calls = [...tables, ...tables, ...tables].map((table) => adapter.provision(unit, table.name));
  expect((await Promise.all(calls)).map((answer) => answer.status)).toEqual(calls.map(() => 200));
  const gone = await Promise.all(tables.map((table) => adapter.unprovision(unit, table.name, true)));
  expect(gone.map((answer) => answer.status)).toEqual(tables.map(() => 200));
  expect(await adapter.rows("SELECT to_regnamespace('fleet') AS schema")).toEqual([{ schema: null }]);
});

test.each([
  { removeData: false, rows: 6 },
  { removeData: true, rows: 5 },
])("undeploy with removeData $removeData and deploy again: $rows rows", async ({ removeData, rows }) => {
  await provisionAll(adapter);
  await adapter.rows("INSERT INTO fleet.vehicles VALUES (99, 'X')");
  for (const name of ["readers", "latest", "load", "vehicles"]) {
    for (const round of [1, 2]) {
      const { status, json } = await adapter.unprovision(all, name, removeData);
      expect({ round, name, status, json }).toMatchObject({ status: 200, json: { status: "COMPLETED" } });
    }
  }
  const tables = await adapter.rows(
    "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('fleet') AND relkind = 'r'",
  );
  expect(tables).toEqual(removeData ? [] : [{ relname: "vehicles__kept_1" }]);
  if (!removeData)
    expect(await adapter.rows("SELECT count(*)::int AS n FROM fleet.vehicles__kept_1")).toEqual([{ n: 6 }]);
  await provisionAll(adapter);
  expect(await adapter.rows("SELECT count(*)::int AS n FROM fleet.vehicles")).toEqual([{ n: rows }]);
});

test("kept tables never collide, and a later removeData removes them too", async () => {
  const unit = unitOf([vehicles]);
  await adapter.provision(unit, "vehicles");
  await adapter.rows("CREATE TABLE fleet.vehicles__kept_1 (foreign_to_us int)");
  await adapter.unprovision(unit, "vehicles");
  expect(await adapter.rows("SELECT to_regclass('fleet.vehicles__kept_2')::text AS t")).toEqual([
    { t: "fleet.vehicles__kept_2" },
  ]);
  await adapter.unprovision(unit, "vehicles", true);
  expect(
    await adapter.rows("SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('fleet')"),
  ).toEqual([{ relname: "vehicles__kept_1" }]);
});

test("a contract that grows adds columns and widens types under the views that read the table", async () => {
  await provisionAll(adapter);
  await adapter.updateAcl(all, "readers", ["user:ada"]);
  const grown = storage("vehicles", [
    column("id", "BIGINT", { constraint: "PRIMARY_KEY" }),
    column("plate", "STRING", { constraint: "UNIQUE" }),
    column("seats", "SMALLINT", { description: "without the driver's" }),
  ]);
  const answer = await adapter.provision(unitOf([grown, load, latest, readers]), "vehicles");
  expect(answer.json).toMatchObject({ status: "COMPLETED" });
  expect(
    await adapter.rows(`SELECT column_name, data_type, is_nullable FROM information_schema.columns
    WHERE table_schema = 'fleet' AND table_name = 'vehicles' ORDER BY ordinal_position`),
  ).toEqual([
    { column_name: "id", data_type: "bigint", is_nullable: "NO" },
    { column_name: "plate", data_type: "text", is_nullable: "YES" },
    { column_name: "seats", data_type: "smallint", is_nullable: "YES" },
  ]);
  expect(await adapter.rows("SELECT count(*)::int AS n FROM fleet.readers")).toEqual([{ n: 3 }]);
  expect(await readersOf(adapter, "readers")).toEqual(["user:ada"]);
});

test("a component whose table has a new name moves it, with data and readers", async () => {
  await provisionAll(adapter);
  const moved = { ...vehicles, specific: { schema: "fleet2", table: "cars" } };
  expect((await adapter.provision(unitOf([moved, load, latest, readers]), "vehicles")).json).toMatchObject({
    info: { publicInfo: { schema: "fleet2", table: "cars", rowCount: 5 } },
  });
  expect(await adapter.rows("SELECT to_regclass('fleet.vehicles') AS old")).toEqual([{ old: null }]);
  expect(await adapter.rows("SELECT count(*)::int AS n FROM fleet.latest")).toEqual([{ n: 3 }]);
  await adapter.rows("DROP SCHEMA fleet2 CASCADE");
});

test("changed SQL replaces a materialised view under its readers, who keep their grants", async () => {
  await provisionAll(adapter);
  await adapter.updateAcl(all, "readers", ["user:ada", "group:ops"]);
  const changed = workload(
    "latest",
    {
      mode: "materialized-view",
      target: "latest",
      sql: "SELECT id, plate, 1 AS more FROM vehicles WHERE id > 4;",
    },
    ["vehicles"],
  );
  const answer = await adapter.provision(unitOf([vehicles, load, changed, readers]), "latest");
  expect(answer.json).toMatchObject({ status: "COMPLETED", info: { publicInfo: { rowCount: 1 } } });
  expect(await adapter.rows("SELECT plate FROM fleet.readers")).toEqual([{ plate: "B-5" }]);
  expect(await readersOf(adapter, "readers")).toEqual(["group:ops", "user:ada"]);
  const without = workload(
    "latest",
    { mode: "materialized-view", target: "latest", sql: "SELECT id FROM vehicles" },
    ["vehicles"],
  );
  const refused = await adapter.provision(unitOf([vehicles, load, without, readers]), "latest");
  expect(refused).toMatchObject({ status: 400, json: { errors: [expect.stringContaining("column")] } });
  expect(await adapter.rows("SELECT plate FROM fleet.readers")).toEqual([{ plate: "B-5" }]);
});

test("a materialised view is refreshed on every redeployment", async () => {
  await provisionAll(adapter);
  await adapter.rows("INSERT INTO fleet.vehicles VALUES (6, 'B-6')");
  expect((await adapter.provision(all, "latest")).json.info.publicInfo.rowCount).toBe(4);
});

test("changed SQL of mode once replaces its own rows only", async () => {
  await provisionAll(adapter, ["vehicles", "load"]);
  const changed = (onChange?: string): Part =>
    workload(
      "load",
      {
        mode: "once",
        target: "vehicles",
        onChange,
        sql: "INSERT INTO fleet.vehicles (id, plate) SELECT n, 'C' FROM generate_series(7, 8) n",
      },
      ["vehicles"],
    );
  const go = (onChange?: string) => adapter.provision(unitOf([vehicles, changed(onChange)]), "load");
  const ids = async (): Promise<number[]> =>
    (await adapter.rows("SELECT id FROM fleet.vehicles ORDER BY 1")).map((r) => r.id);
  expect((await go()).json).toMatchObject({ status: "COMPLETED", info: { publicInfo: { rowsWritten: 2 } } });
  expect(await ids()).toEqual([7, 8]);
  await adapter.rows("INSERT INTO fleet.vehicles VALUES (50, 'mine')");
  expect((await adapter.provision(all, "load")).status).toBe(400);
  expect(await ids()).toEqual([7, 8, 50]);
  const appended = workload("load", { ...loadSpecific, onChange: "append" }, ["vehicles"]);
  expect((await adapter.provision(unitOf([vehicles, appended]), "load")).status).toBe(200);
  expect(await ids()).toEqual([1, 2, 3, 4, 5, 7, 8, 50]);
  expect((await go("replace")).status).toBe(200);
  expect(await ids()).toEqual([7, 8]);
});

test("the rows of a workload of mode once stay with it, go with removeData, and are never written twice", async () => {
  await provisionAll(adapter, ["vehicles", "load"]);
  const count = async (): Promise<number> =>
    (await adapter.rows("SELECT count(*)::int AS n FROM fleet.vehicles"))[0].n;
  await adapter.unprovision(all, "load", false);
  expect(await count()).toBe(5);
  expect((await adapter.provision(all, "load")).json.info.publicInfo).toMatchObject({
    rowsWritten: 0,
    rowCount: 5,
  });
  await adapter.unprovision(all, "load", true);
  expect(await count()).toBe(0);
  expect((await adapter.provision(all, "load")).json.info.publicInfo).toMatchObject({
    rowsWritten: 5,
    rowCount: 5,
  });
  await adapter.rows("INSERT INTO fleet.vehicles VALUES (77, 'mine')");
  const { json } = await adapter.unprovision(all, "load", true);
  expect(json.logs[0]).toMatchObject({
    level: "WARNING",
    message: expect.stringContaining("none were removed"),
  });
  expect(await count()).toBe(6);
});

test("the same system in two environments of one database stays two", async () => {
  const inProduction = (part: Part): Part => ({
    ...part,
    specific: { ...Object(part["specific"]), schema: "fleet_prod" },
  });
  const production = unitOf(system.map(inProduction), { environment: "production" });
  for (const part of system) {
    expect((await adapter.provision(all, part.name)).status).toBe(200);
    expect((await adapter.provision(production, part.name)).status).toBe(200);
  }
  for (const part of system.toReversed())
    expect((await adapter.unprovision(all, part.name, true)).status).toBe(200);
  expect(await adapter.rows("SELECT to_regnamespace('fleet') AS schema")).toEqual([{ schema: null }]);
  expect(await adapter.rows("SELECT count(*)::int AS n FROM fleet_prod.readers")).toEqual([{ n: 3 }]);
  const prying = unitOf([
    { ...vehicles, specific: { schema: "fleet", table: "vehicles" } },
    {
      ...latest,
      specific: {
        schema: "fleet",
        target: "latest",
        mode: "materialized-view",
        sql: "SELECT * FROM fleet_prod.vehicles",
      },
    },
  ]);
  expect((await adapter.provision(prying, "latest")).json.errors[0]).toContain("permission");
  for (const part of system.toReversed()) await adapter.unprovision(production, part.name, true);
});

test("names that need quoting stay names", async () => {
  const odd = 'We"ird; DROP TABLE x --';
  const unit = unitOf([
    {
      ...storage("s", [column(odd, "INT", { description: "it's \\ odd" })]),
      specific: { schema: "fleet", table: odd },
    },
    {
      ...port("p", odd, { columns: [column(odd, "INT")], dependsOn: ["s"] }),
      specific: { schema: "fleet", view: "select", source: { table: odd } },
    },
  ]);
  expect(await adapter.validate(unit, "p")).toEqual([]);
  expect((await adapter.provision(unit, "s")).status).toBe(200);
  expect((await adapter.provision(unit, "s")).status).toBe(200);
  expect((await adapter.provision(unit, "p")).status).toBe(200);
  expect((await adapter.updateAcl(unit, "p", ["user:o'hara"])).status).toBe(200);
  expect((await adapter.unprovision(unit, "p")).status).toBe(200);
  expect((await adapter.unprovision(unit, "s", true)).status).toBe(200);
});
