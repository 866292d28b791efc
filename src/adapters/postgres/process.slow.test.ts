/** The adapter as a process, with operations that are slow, stopped or without a database. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { testDatabase } from "../../../test/support/database.ts";
import { useAdapter } from "./db-testdata.ts";
import { startTestAdapter, storage, column, unitOf, workload } from "./testdata.ts";

const { adapter, database } = useAdapter(testDatabase);
const main = fileURLToPath(new URL("main.ts", import.meta.url));

function run(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
  return { child, output, exit: once(child, "exit") };
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "the process says where it listens and ends with 0 on %s",
  async (signal) => {
    const { child, output, exit } = run(["--port", "0", "--database-url", database().url], {
      CORE_BACKEND_PLUGIN_AUTH_SECRET: "s3cret",
    });
    await expect.poll(() => output.out).toContain("\n");
    const { listening } = JSON.parse(output.out);
    expect((await fetch(`${listening}/v1/validate`, { method: "POST" })).status).toBe(401);
    const headers = { authorization: "Bearer s3cret", "content-type": "application/json" };
    expect((await fetch(`${listening}/v1/validate`, { method: "POST", headers, body: "{}" })).status).toBe(
      200,
    );
    child.kill(signal);
    expect(await exit).toEqual([0, null]);
    expect(output.out.trim().split("\n")).toHaveLength(1);
  },
);

test("without a database to work in the process explains itself and ends with 2", async () => {
  const { output, exit } = run([]);
  expect(await exit).toEqual([2, null]);
  expect(output.err).toContain("--database-url");
});

const slow = unitOf([
  storage("t", [column("id", "INT")]),
  workload(
    "slow",
    { mode: "once", target: "t", sql: "SELECT n AS id FROM generate_series(1, 2000000000) n" },
    ["t"],
  ),
]);

test("a running operation is stopped by termination, and nothing of it stays", async () => {
  const other = await startTestAdapter(database().url, { async: { afterMs: 50 } });
  try {
    expect((await other.provision(slow, "t")).json).toBeTruthy();
    await expect
      .poll(async () => (await adapter.rows("SELECT to_regclass('fleet.t')::text AS t"))[0].t)
      .toBe("fleet.t");
    const { status, json: token } = await other.provision(slow, "slow");
    expect(status).toBe(202);
    const stopped = await other.remove(`/v1/provision/${token}`);
    expect(stopped).toMatchObject({ status: 200, json: { status: "TERMINATED" } });
    expect(
      await adapter.rows("SELECT relname FROM pg_class WHERE relnamespace = 'fleet'::regnamespace"),
    ).toEqual([{ relname: "t" }]);
  } finally {
    await other.close();
  }
});

test("an operation whose connection is terminated fails, and the adapter goes on", async () => {
  const other = await startTestAdapter(database().url);
  try {
    await other.provision(slow, "t");
    const provisioned = other.provision(slow, "slow");
    const terminated = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'plinth-postgres-adapter' AND state = 'active'
        AND query LIKE '%generate_series%'`;
    await expect.poll(async () => (await adapter.rows(terminated)).length).toBe(1);
    expect((await provisioned).status).toBe(503);
    expect((await other.unprovision(slow, "t", true)).status).toBe(200);
  } finally {
    await other.close();
  }
});

test("a statement that takes too long, and a lock of others, end in a passing failure that says so", async () => {
  const hasty = await startTestAdapter(database().url, { statementTimeoutMs: 300 });
  const impatient = await startTestAdapter(database().url, { lockTimeoutMs: 200 });
  try {
    // An adapter with the usual limits makes the statements that have to succeed.
    expect((await adapter.provision(slow, "t")).status).toBe(200);
    expect(await hasty.provision(slow, "slow")).toMatchObject({
      status: 503,
      json: { userMessage: expect.stringContaining("longer") },
    });
    await adapter.rows("BEGIN; LOCK TABLE fleet.t");
    expect(await impatient.unprovision(slow, "t", true)).toMatchObject({
      status: 503,
      json: { userMessage: expect.stringContaining("holds the object") },
    });
    await adapter.rows("ROLLBACK");
    expect((await adapter.unprovision(slow, "t", true)).status).toBe(200);
  } finally {
    await adapter.rows("ROLLBACK");
    await hasty.close();
    await impatient.close();
  }
});

test("without its database the adapter answers 503 without saying where that is", async () => {
  const away = database().url.replace(/:\d+\//, ":1/");
  const other = await startTestAdapter(away, {}, database().url);
  try {
    const { status, json } = await other.provision(slow, "t");
    expect({ status, message: json.userMessage }).toEqual({
      status: 503,
      message: "The database cannot be reached.",
    });
    expect(JSON.stringify(json)).not.toMatch(/127\.0\.0\.1|ECONN|postgres:/);
  } finally {
    await other.close();
  }
});
