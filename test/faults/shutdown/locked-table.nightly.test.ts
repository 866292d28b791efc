import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { connectTo } from "../../../src/platform/db/database.ts";
import { databaseVariables, killChild, servedUrl, startServer } from "../../crash/processes.ts";
import { testDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).toReversed()) await each();
});

it("a server whose plans are locked in the database stops in order when it is asked to", async () => {
  const db = await testDatabase();
  undo.push(() => db.drop());
  const home = await mkdtemp(join(tmpdir(), "plinth-locked-"));
  undo.push(() => rm(home, { recursive: true }));
  const child = startServer({
    cwd: home,
    env: { ...databaseVariables(db.connection), PLINTH_SERVER_SHUTDOWN_GRACE_MS: "2000" },
  });
  undo.push(() => killChild(child));
  await servedUrl(child);
  const holder = await connectTo(db.connection);
  undo.push(() => holder.end());
  await holder.query("begin");
  await holder.query("lock table execution_plans in access exclusive mode");
  await eventually("a statement of the worker that waits for the lock", async () => {
    const waiting = "select 1 from pg_locks where not granted and relation = 'execution_plans'::regclass";
    return (await holder.query(waiting)).rowCount! > 0;
  });
  let said = "";
  child.process.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));

  child.process.kill("SIGTERM");
  await child.gone;

  expect({ code: child.process.exitCode, said }).toEqual({ code: 0, said: "" });
});
