/** The bundle that `npm run build` makes, as a process: its interfaces and the render threads. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  databaseVariables,
  productProgram,
  servedUrl,
  sourceProgram,
  startServer,
  stopChild,
  type Child,
} from "./crash/processes.ts";
import { testDatabase, type TestDatabase } from "./support/database.ts";

const root = join(import.meta.dirname, "..");
let db: TestDatabase;
let home = "";
let server: Child;

beforeAll(async () => {
  // Made by scripts/build.ts for the run; from the sources this file would prove nothing.
  expect(productProgram()).toMatch(/\/plinth\.js$/);
  db = await testDatabase();
  home = await mkdtemp(join(tmpdir(), "plinth-built-"));
  const modules = join(root, "test/builder/action-modules");
  const env = { ...databaseVariables(db.connection), PLINTH_MESH_BUILDER_ACTIONS_FOLDER: modules };
  server = startServer({ cwd: home, env });
});
afterAll(async () => {
  await stopChild(server);
  await db.drop();
  await rm(home, { recursive: true, force: true });
});

it("serves, renders templates in its threads, and serves its documents", async () => {
  const url = await servedUrl(server);
  const plinth = (...args: string[]) =>
    spawnSync(process.execPath, [productProgram(), ...args, "--url", url], {
      cwd: root,
      encoding: "utf8",
    });
  const built = plinth("build", "examples/fleet-positions", "-e", "development", "--json");
  expect(built.stderr).toBe("");
  const descriptor = JSON.parse(built.stdout) as { components: object[] };
  // `load-vehicles` is a template with its parameters: the threads found their own file.
  expect(JSON.stringify(descriptor.components)).toContain("generate_series(1, 12)");
  for (const area of ["builder", "coordinator"]) {
    expect((await fetch(`${url}/api/${area}/openapi.json`)).status).toBe(200);
  }
});

it("runs modules of others in a process of their own", async () => {
  const url = await servedUrl(server);
  const steps = [{ id: "paint", name: "Paint", action: "ship:paint", input: { color: "blue" } }];
  const template = {
    apiVersion: "scaffolder.backstage.io/v1beta3",
    kind: "Template",
    metadata: { name: "painted" },
    spec: {
      owner: "sailors",
      type: "ship",
      parameters: {},
      steps,
      output: { painted: "${{ steps.paint.output.painted }}" },
    },
  };
  const answer = await fetch(`${url}/api/scaffolder/v2/dry-run`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ template, values: {}, directoryContents: [] }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("BLUE")]);
});

it("checks a configuration as the sources do", async () => {
  const text =
    '{server: {baseUrl: "ftp://a", port: x, speed: 1}, actionHandlers: {"": 1}, log: {level: loud}}';
  await writeFile(join(home, "wrong.yaml"), text);
  const [bundled, fromSource] = [productProgram(), sourceProgram].map((program) => {
    const args = [resolve(root, program), "config", "check", "--config", "wrong.yaml"];
    return spawnSync(process.execPath, args, { cwd: home, encoding: "utf8" });
  });
  expect(bundled!.stderr + bundled!.stdout).toContain("5 problems");
  expect(bundled!.stderr).toBe(fromSource!.stderr);
  expect([bundled!.status, bundled!.stdout]).toEqual([fromSource!.status, fromSource!.stdout]);
});
