/** Modules of others: loaded, run and stopped in processes of their own. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Action } from "../../src/builder/actions/action.ts";
import { loadModuleActions } from "../../src/builder/actions/modules/module-actions.ts";
import { createActions } from "../../src/builder/actions/registry.ts";
import { actionBench, readFiles, type Bench } from "../../src/builder/actions/testdata.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";

const folder = fileURLToPath(new URL("action-modules", import.meta.url));

let bench: Bench;
let actions: Map<string, Action>;
let logged: object[] = [];

const limits = { confined: true, timeoutMs: 20_000, maxMemoryMb: 64, publishAliases: [] };

async function open(changes: Partial<typeof limits> = {}): Promise<void> {
  const settings = { folder, ...limits, ...changes };
  bench = await actionBench({ actions: settings });
  const log = { ...silentLogger, error: (fields: object) => void logged.push(fields) };
  const found = await loadModuleActions({ settings: bench.deps.settings, log, now: () => new Date() });
  actions = createActions(bench.deps, found);
}

const action = (id: string): Action => {
  const found = actions.get(id);
  if (found === undefined) throw new Error(`no action ${id}`);
  return found;
};

beforeEach(() => void (logged = []));
afterEach(async () => {
  // Nothing is left of the temporary folders.
  expect(await readdir(join(bench.folder, "data", "builder", "scratch"))).toEqual([]);
  await bench.close();
});

it("lists the actions of each shape of module, and says which modules it can't load", async () => {
  await open();
  expect([...actions.keys()].filter((id) => id.startsWith("ship:"))).toEqual([
    "ship:count",
    "ship:misbehave",
    "ship:paint",
    "ship:sail",
  ]);
  expect(action("ship:paint")).toMatchObject({
    description: "Paints a ship.",
    supportsDryRun: true,
    input: { type: "object", required: ["color"] },
  });
  expect(action("ship:sail")).toMatchObject({ input: { type: "object" }, supportsDryRun: false });
  expect(logged).toEqual([
    { folder, problem: "./broken.mjs: this module does not load" },
    { folder, problem: expect.stringMatching(/^\.\/missing\.mjs: Cannot find module/) },
  ]);
});

it("runs an action with a context of the usual shape, in a process that knows nothing of this one", async () => {
  process.env["CANARY_OF_THE_SERVER"] = "canary";
  await open();
  const { outputs, said } = await bench.run(
    action("ship:paint"),
    { color: "red" },
    { secrets: { token: "12345" } },
  );
  expect(outputs).toEqual({
    painted: "RED",
    context: {
      user: "user:default/ada",
      ref: "user:default/ada",
      task: "task-1",
      template: "template:default/ship",
      isDryRun: false,
      secret: 5,
      environment: expect.not.arrayContaining(["CANARY_OF_THE_SERVER", "NODE_OPTIONS", "USER"]),
    },
  });
  expect(said.toSorted()).toEqual(["painting red", "still wet", "to the console", "to the stream"]);
  expect(await readFiles(bench.workspace)).toEqual({ "hull/color.txt": "red" });
});

it("keeps checkpoints over runs", async () => {
  await open();
  await expect(bench.run(action("ship:count"), { fails: true })).rejects.toThrow("the second does not hold");
  expect([...bench.checkpoints]).toEqual([["step:first", { at: "first" }]]);
  const { outputs } = await bench.run(action("ship:count"), {});
  expect(outputs["kept"]).toEqual([{ at: "first" }, 2]);
  expect(bench.checkpoints.get("step:second")).toBe(2);
});

it("gives a backend module its extension point, and no services", async () => {
  await open();
  expect((await bench.run(action("ship:sail"), {})).outputs).toEqual({ color: "white" });
  await expect(bench.run(action("ship:sail"), { reads: true })).rejects.toThrow("the service core.urlReader");
});

it.each([
  ["throws", "the mast is broken"],
  ["exits", "its process ended with 3"],
  ["eats", "it ran out of memory"],
  ["writes", "Access to this API has been restricted"],
  ["starts", "Access to this API has been restricted"],
  ["puts", "puts out more than 1048576 bytes"],
])("a module that %s fails the step alone", async (how, why) => {
  await open();
  await expect(bench.run(action("ship:misbehave"), { how })).rejects.toMatchObject({
    code: "BUILDER_ACTION_FAILED",
    message: expect.stringContaining(why),
  });
  expect(await readdir(bench.folder)).not.toContain("outside.txt");
});

it("stops a module that never ends", async () => {
  await open({ timeoutMs: 1_500 });
  await expect(bench.run(action("ship:misbehave"), { how: "hangs" })).rejects.toThrow("longer than 1500 ms");
});

it.each(["waits", "hangs"])("stops a module that %s when the step is cancelled", async (how) => {
  await open();
  const stop = new AbortController();
  const run = bench.run(action("ship:misbehave"), { how }, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("cancelled")), 300);
  await expect(run).rejects.toThrow("cancelled");
});

it("lets a module start programs where the operator allows it", async () => {
  await open({ confined: false });
  await bench.run(action("ship:misbehave"), { how: "starts" });
});

it("does not let a module take the place of a built-in action", async () => {
  await open();
  const taken: Action = { ...action("ship:sail"), id: "fs:delete" };
  expect(createActions(bench.deps, [taken]).get("fs:delete")?.description).toContain("Deletes files");
});
