/** What the adapter refuses, with all problems at once and nothing changed. */
import { expect, test } from "vitest";

import { testDatabase } from "../../../test/support/database.ts";
import type { JsonObject } from "../kit/protocol.ts";
import { all, picture, provisionAll, useAdapter } from "./db-testdata.ts";
import {
  column,
  idOf,
  latest,
  port,
  storage,
  unitOf,
  vehicleColumns,
  vehicles,
  workload,
} from "./testdata.ts";

const { adapter } = useAdapter(testDatabase);

const incompatible: Array<[string, JsonObject[], string]> = [
  [
    "a narrower type",
    [column("id", "INT", { constraint: "PRIMARY_KEY" }), column("plate", "INT")],
    "/components/0/dataContract/schema/1/dataType",
  ],
  [
    "a column left out",
    [column("id", "INT", { constraint: "PRIMARY_KEY" })],
    "/components/0/dataContract/schema: no longer declares the column plate",
  ],
  [
    "a new column that must have a value",
    [...vehicleColumns, column("x", "INT", { constraint: "NOT_NULL" })],
    "/components/0/dataContract/schema/2/constraint",
  ],
];

test.each(incompatible)(
  "with data, %s is refused by validate and provision, and nothing changes",
  async (_n, columns, text) => {
    await provisionAll(adapter, ["vehicles", "load"]);
    const before = await picture(adapter);
    const unit = unitOf([storage("vehicles", columns)]);
    expect(await adapter.validate(unit, "vehicles")).toEqual([expect.stringContaining(text)]);
    const answer = await adapter.provision(unit, "vehicles");
    expect(answer).toMatchObject({ status: 400, json: { errors: [expect.stringContaining(text)] } });
    expect(answer.json.moreInfo.solutions.length).toBeGreaterThan(0);
    expect(await picture(adapter)).toEqual(before);
    await adapter.rows("TRUNCATE fleet.vehicles");
    expect((await adapter.provision(unit, "vehicles")).json).toMatchObject({ status: "COMPLETED" });
  },
);

test("a repeated value is refused without telling the value", async () => {
  const unit = unitOf([storage("v", [column("a", "STRING")])]);
  await adapter.provision(unit, "v");
  await adapter.rows("INSERT INTO fleet.v VALUES ('hidden'), ('hidden')");
  const answer = await adapter.provision(
    unitOf([storage("v", [column("a", "STRING", { constraint: "PRIMARY_KEY" })])]),
    "v",
  );
  expect(answer).toMatchObject({ status: 400, json: { errors: [expect.stringContaining("two rows")] } });
  expect(JSON.stringify(answer.json)).not.toMatch(/hidden|ALTER|at .*\.ts/);
});

test("others' objects are never taken, replaced or dropped with ours", async () => {
  await provisionAll(adapter, ["vehicles", "load", "latest"]);
  await adapter.rows("CREATE VIEW public.foreign_view AS SELECT plate FROM fleet.latest");
  const blocked = await adapter.unprovision(all, "latest", true);
  expect(blocked).toMatchObject({
    status: 400,
    json: { errors: [expect.stringContaining("view public.foreign_view")] },
  });
  expect((await adapter.unprovision(all, "vehicles", true)).json.errors[0]).toContain(
    "materialized view fleet.latest",
  );
  expect((await adapter.unprovision(all, "vehicles", false)).json.errors[0]).toContain(
    "materialized view fleet.latest",
  );
  await adapter.rows("DROP VIEW public.foreign_view");

  await adapter.rows("CREATE TABLE fleet.made_by_hand (id int)");
  const taken = unitOf([storage("made_by_hand", [column("id", "INT")])]);
  expect(await adapter.validate(taken, "made_by_hand")).toEqual([
    expect.stringContaining("was not made by this adapter"),
  ]);
  expect((await adapter.provision(taken, "made_by_hand")).status).toBe(400);
  const other = { ...all, environment: "production" };
  expect((await adapter.provision(other, "vehicles")).json.errors[0]).toContain("belongs to component");
  expect((await adapter.unprovision(taken, "made_by_hand", true)).status).toBe(200);
  expect(await adapter.rows("SELECT count(*)::int AS n FROM fleet.made_by_hand")).toEqual([{ n: 0 }]);
});

const untrusted: Array<[string, string, RegExp]> = [
  ["two statements", "SELECT 1 AS id; DROP TABLE vehicles", /more than one statement/],
  ["an early end", "SELECT 1 AS id) ; DROP TABLE vehicles --", /statement|parenthesis/],
  ["a hidden end", "SELECT 1 AS id ) WITH NO DATA -- (", /parenthesis/],
  ["a change of data", "WITH gone AS (DELETE FROM vehicles RETURNING 1) SELECT 1 AS id", /does not support/],
  ["a change of role", "SELECT set_config('role', 'none', true) AS id", /permission/],
  ["files of the server", "SELECT pg_read_file('/etc/passwd') AS id", /permission/],
  ["passwords", "SELECT rolname AS id FROM pg_authid", /table pg_authid/],
  [
    "tables of others",
    "SELECT secret AS id FROM public.others",
    /the permission to use table others is missing/,
  ],
  ["the bookkeeping", "SELECT 1 AS id FROM plinth_adapter.objects", /permission/],
  ["another command", "DROP TABLE vehicles", /must be one SELECT/],
  ["a copy", "COPY vehicles TO '/tmp/x'", /must be one SELECT/],
];

test.each(untrusted)("untrusted SQL: %s", async (_name, sql, message) => {
  await provisionAll(adapter, ["vehicles", "load"]);
  await adapter.rows("DROP TABLE IF EXISTS public.others; CREATE TABLE public.others (secret text)");
  const before = await picture(adapter);
  const unit = unitOf([
    vehicles,
    workload("bad", { mode: "materialized-view", target: "bad", sql }, ["vehicles"]),
  ]);
  const { status, json } = await adapter.provision(unit, "bad");
  expect({ status, errors: json.errors.join(" ") }).toEqual({
    status: 400,
    errors: expect.stringMatching(message),
  });
  expect(json.errors[0]).toContain("/components/1/specific/sql: ");
  expect(await picture(adapter)).toEqual(before);
});

test("what needs no data to be seen is found by validation before anything is deployed", async () => {
  expect(await adapter.validate(all, "vehicles")).toEqual([]);
  expect(await adapter.validate(all, "load")).toEqual([]);
  expect(await adapter.validate(all, "latest")).toEqual([]);
  expect(await adapter.validate(all, "readers")).toEqual([]);
  expect(await adapter.rows("SELECT to_regnamespace('fleet') AS schema")).toEqual([{ schema: null }]);

  const bad = unitOf([
    vehicles,
    latest,
    port("p1", "latest", {
      columns: [column("plate", "INT"), column("nothing", "INT"), column("id", "STRING")],
    }),
    port("p2", "missing", { columns: [column("id", "INT")], dependsOn: [] }),
    port("p3", "vehicles", { columns: [column("id", "INT")], dependsOn: [] }),
    workload("w1", { mode: "materialized-view", target: "w1", sql: "SELECT\n  nope FROM vehicles" }, [
      "vehicles",
    ]),
    workload("w2", { mode: "materialized-view", target: "w2", sql: "SELECT id FROM vehicles" }, []),
    workload("w3", { mode: "once", target: "vehicles", sql: "SELECT 1 AS seats" }, ["vehicles"]),
    workload("w4", { mode: "materialized-view", target: "w4", sql: "SELECT id FORM vehicles x y" }, [
      "vehicles",
    ]),
  ]);
  expect(await adapter.validate(bad, "p1")).toEqual([
    "/components/2/dataContract/schema/0/dataType: plate is character varying(10) in fleet.latest, which is not shown as integer without loss",
    "/components/2/dataContract/schema/1/name: fleet.latest has no column nothing",
    "/components/2/dataContract/schema/2/dataType: id is integer in fleet.latest, which is not shown as text without loss",
  ]);
  expect(await adapter.validate(bad, "p2")).toEqual([
    "/components/3/specific/source: fleet.missing does not exist",
  ]);
  expect((await adapter.validate(bad, "p3"))[0]).toContain(
    "/components/4/specific/source: fleet.vehicles does not exist",
  );
  expect((await adapter.validate(bad, "w1"))[0]).toContain(
    "the column nope does not exist (line 2, column 3)",
  );
  expect((await adapter.validate(bad, "w2"))[0]).toContain(
    "the table or view vehicles does not exist (line 1, column 16)",
  );
  expect((await adapter.validate(bad, "w3"))[0]).toContain("yields seats");
  expect((await adapter.validate(bad, "w4"))[0]).toMatch(/syntax error \(line 1, column \d+\)/);
  const refused = await adapter.provision(bad, "p3");
  expect(refused.status).toBe(400);
});

test("all problems of a component's text are reported at once", async () => {
  const bad = {
    ...storage("x".repeat(64), [
      column("", "INT"),
      column("a", "NOPE"),
      column("a", "VARCHAR", { dataLength: 0 }),
      column("b", "DECIMAL", { precision: 3, scale: 4, constraint: "SOME" }),
    ]),
    id: idOf("bad"),
    dependsOn: [idOf("nobody")],
  };
  const unit = unitOf([
    { ...bad, specific: { schema: "pg_catalog", table: "x".repeat(64), database: "elsewhere" } },
  ]);
  expect(await adapter.validate(unit, "bad")).toHaveLength(10);
  expect((await adapter.provision(unit, "bad")).json.errors).toHaveLength(9);
});
