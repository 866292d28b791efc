/**
 * Actions of one published module, as an operator would install it, run by our shim: without network, in a process of
 * its own, confined. It is no dependency of the project: `npm ci --prefix test/builder/published-module` first.
 *   node test/builder/published-module/main.ts
 */
import { deepStrictEqual, ok } from "node:assert/strict";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Action } from "../../../src/builder/actions/action.ts";
import { loadModuleActions } from "../../../src/builder/actions/modules/module-actions.ts";
import { actionBench, readFiles, writeFiles } from "../../../src/builder/actions/testdata.ts";
import { silentLogger } from "../../../src/platform/lib/logger.ts";

const folder = dirname(fileURLToPath(import.meta.url));
const problems: object[] = [];
const log = { ...silentLogger, error: (fields: object) => void problems.push(fields) };
const settings = { folder, confined: true, timeoutMs: 60_000, maxMemoryMb: 512, publishAliases: [] };
const bench = await actionBench({ actions: settings });
try {
  const actions = await loadModuleActions({ settings: bench.deps.settings, log, now: () => new Date() });
  const action = (id: string): Action => {
    const found = actions.find((each) => each.id === id);
    ok(
      found,
      `there is no ${id} among ${actions.map((each) => each.id).join(", ")}; ${JSON.stringify(problems)}`,
    );
    return found;
  };
  console.log(`${actions.length} actions: ${actions.map(({ id }) => id).join(", ")}`);

  await bench.run(action("roadiehq:utils:fs:write"), { path: "a/ship.json", content: '{"name":"ship"}' });
  await bench.run(action("roadiehq:utils:json:merge"), { path: "a/ship.json", content: { masts: 3 } });
  const { outputs } = await bench.run(action("roadiehq:utils:serialize:yaml"), { data: { masts: 3 } });
  deepStrictEqual(outputs["serialized"], "masts: 3\n");
  await writeFiles(bench.workspace, { "b.txt": "old text" });
  await bench.run(action("roadiehq:utils:fs:replace"), {
    files: [{ file: "b.txt", find: "old", replaceWith: "new" }],
  });
  const files = await readFiles(bench.workspace);
  deepStrictEqual(JSON.parse(files["a/ship.json"] ?? ""), { name: "ship", masts: 3 });
  deepStrictEqual(files["b.txt"], "new text");
  const failure = await bench.run(action("roadiehq:utils:json:merge"), { path: "../x", content: {} }).then(
    () => "it did not fail",
    (error: Error) => error.message,
  );
  ok(failure.includes("failed"), failure);
  console.log(
    "fs:write, json:merge, serialize:yaml and fs:replace did what they say; a path out of the workspace failed",
  );
  if (problems.length > 0) console.log(`told to the operator: ${JSON.stringify(problems)}`);
} finally {
  await bench.close();
}
