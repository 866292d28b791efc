/** Rows that others have written into the table of a workload of mode once are never removed with its own. */
import { Client } from "pg";
import { expect, test } from "vitest";

import { testDatabase } from "../../../test/support/database.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { all, provisionAll, useAdapter } from "./db-testdata.ts";
import { load, loadSpecific, unitOf, vehicles, workload } from "./testdata.ts";
import type { Answer } from "./testdata.ts";

const { adapter, database } = useAdapter(testDatabase);

const changed = (onChange?: string) =>
  unitOf([
    vehicles,
    workload(
      "load",
      { ...loadSpecific, onChange, sql: "SELECT n AS id, 'C' AS plate FROM generate_series(7, 8) AS n" },
      ["vehicles"],
    ),
  ]);

const ids = async (): Promise<number[]> =>
  (await adapter.rows("SELECT id FROM fleet.vehicles ORDER BY 1")).map((row) => row.id);

const noneRemoved = {
  status: 200,
  json: { logs: [{ level: "WARNING", message: expect.stringContaining("none were removed") }] },
};

test("rows from before the first load stay when its SQL changes and when it is removed with its data", async () => {
  await provisionAll(adapter, ["vehicles"]);
  await adapter.rows("INSERT INTO fleet.vehicles VALUES (50, 'mine')");
  await provisionAll(adapter, ["load"]);
  const refused = await adapter.provision(changed(), "load");
  expect(refused).toMatchObject({ status: 400, json: { errors: [expect.stringContaining("other rows")] } });
  expect(await adapter.unprovision(all, "load", true)).toMatchObject(noneRemoved);
  expect(await ids()).toEqual([1, 2, 3, 4, 5, 50]);
});

test("the same after a load that appended to its own rows, and after one that replaced all", async () => {
  await provisionAll(adapter, ["vehicles", "load"]);
  expect((await adapter.provision(changed("append"), "load")).status).toBe(200);
  expect(await ids()).toEqual([1, 2, 3, 4, 5, 7, 8]);
  // All seven are its own, so they are replaced.
  expect((await adapter.provision(unitOf([vehicles, load]), "load")).status).toBe(200);
  expect(await ids()).toEqual([1, 2, 3, 4, 5]);
  await adapter.rows("INSERT INTO fleet.vehicles VALUES (50, 'mine')");
  expect((await adapter.provision(changed("append"), "load")).status).toBe(200);
  expect(await adapter.unprovision(changed("append"), "load", true)).toMatchObject(noneRemoved);
  expect(await ids()).toEqual([1, 2, 3, 4, 5, 7, 8, 50]);
});

test("two workloads that fill one table do not remove each other's rows", async () => {
  const other = workload("other", { ...loadSpecific, sql: "SELECT 60 AS id, 'D' AS plate" }, ["vehicles"]);
  const unit = unitOf([vehicles, load, other]);
  for (const name of ["vehicles", "load", "other"])
    expect((await adapter.provision(unit, name)).status).toBe(200);
  expect(await adapter.unprovision(unit, "other", true)).toMatchObject(noneRemoved);
  expect(await ids()).toEqual([1, 2, 3, 4, 5, 60]);
});

test.each<[string, () => Promise<Answer>, object]>([
  ["a removal of its rows", () => adapter.unprovision(all, "load", true), noneRemoved],
  [
    "an exchange of its rows",
    () => adapter.provision(changed(), "load"),
    { status: 400, json: { errors: [expect.stringContaining("other rows")] } },
  ],
])("a row that is committed while %s waits for its table stays", async (_, change, expected) => {
  await provisionAll(adapter, ["vehicles", "load"]);
  const writer = new Client({ connectionString: database().url });
  await writer.connect();
  try {
    await writer.query("BEGIN; LOCK TABLE fleet.vehicles IN SHARE MODE");
    const changing = change();
    await eventually("the adapter waits for the table", async () => {
      const waiting = await adapter.rows(
        "SELECT 1 FROM pg_locks WHERE relation = 'fleet.vehicles'::regclass AND NOT granted",
      );
      return waiting.length > 0;
    });
    await writer.query("INSERT INTO fleet.vehicles VALUES (50, 'mine'); COMMIT");
    expect(await changing).toMatchObject(expected);
    expect(await ids()).toEqual([1, 2, 3, 4, 5, 50]);
  } finally {
    await writer.end();
  }
});

test("a row that is committed only after the adapter has begun to wait counts as another's", async () => {
  await provisionAll(adapter, ["vehicles", "load"]);
  const writer = new Client({ connectionString: database().url });
  await writer.connect();
  try {
    await writer.query("BEGIN; INSERT INTO fleet.vehicles VALUES (50, 'mine')");
    const removal = adapter.unprovision(all, "load", true);
    let answered = false;
    void removal.finally(() => (answered = true));
    await eventually("the adapter waits for the writer", async () => {
      const waiting = await adapter.rows(
        "SELECT 1 FROM pg_locks WHERE relation = 'fleet.vehicles'::regclass AND NOT granted",
      );
      return answered || waiting.length > 0;
    });
    await writer.query("COMMIT");
    expect(await removal).toMatchObject(noneRemoved);
    expect(await ids()).toEqual([1, 2, 3, 4, 5, 50]);
  } finally {
    await writer.end();
  }
});
