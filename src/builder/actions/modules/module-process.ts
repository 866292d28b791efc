/**
 * Entry of the process in which third-party modules run: it loads the requested modules, lists their actions
 * or runs one, and exits. It communicates with the server by messages only.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { findActions, type ModuleAction } from "./find-actions.ts";
import type { FromModule, ListedAction, ToModule } from "./messages.ts";
import { moduleContext, textOf } from "./module-context.ts";

/** Ends this process when its parent has gone, even while a handler blocks the main thread. */
const watchdog = `
const { workerData } = require("node:worker_threads");
setInterval(() => { if (process.ppid !== workerData) process.kill(process.pid, "SIGKILL"); }, 500);
`;
new Worker(watchdog, { eval: true, workerData: process.ppid, env: {} }).unref();
process.on("disconnect", () => process.exit(0));

const send = (message: FromModule): void => void process.send?.(message);

let onMessage: (message: ToModule) => void = () => {};

process.on("message", (message: ToModule) => {
  if (message.kind === "list") void list(message).then(endAfter);
  else if (message.kind === "run") void run(message).then(endAfter);
  else onMessage(message);
});

/** Waits until the last message is sent before the process ends. */
const endAfter = (message: FromModule): void => {
  process.send?.(message, undefined, {}, () => process.exit(0));
};

async function list({ folder, modules }: ToModule & { kind: "list" }): Promise<FromModule> {
  const { actions, problems } = await loadAll(folder, modules);
  return { kind: "actions", actions: [...actions.values()].map(listed), problems };
}

const listed = ({ id, description, supportsDryRun, schema }: ModuleAction): ListedAction => ({
  id,
  description: typeof description === "string" ? description : "",
  input: plainSchema(schema?.input) ?? { type: "object" },
  output: plainSchema(schema?.output),
  supportsDryRun: supportsDryRun === true,
});

/** Drops a schema that is not JSON. */
const plainSchema = (schema: unknown): object | null => {
  if (typeof schema !== "object" || schema === null) return null;
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  return typeof copy === "object" &&
    copy !== null &&
    ("type" in copy ||
      "properties" in copy ||
      "anyOf" in copy ||
      "oneOf" in copy ||
      "allOf" in copy ||
      "$ref" in copy)
    ? copy
    : null;
};

async function run({ folder, modules, step }: ToModule & { kind: "run" }): Promise<FromModule> {
  try {
    const { actions, problems } = await loadAll(folder, modules);
    const action = actions.get(step.actionId);
    if (action === undefined)
      throw new Error([`no module has the action ${step.actionId}`, ...problems].join("; "));
    const made = moduleContext(step, send);
    ({ onMessage } = made);
    await action.handler(made.context);
    return { kind: "done" };
  } catch (error) {
    return { kind: "failed", message: textOf(error) };
  }
}

async function loadAll(
  folder: string,
  modules: readonly string[],
): Promise<{ actions: Map<string, ModuleAction>; problems: string[] }> {
  const actions = new Map<string, ModuleAction>();
  const problems: string[] = [];
  for (const name of modules) {
    try {
      const exported: unknown = await import(await resolve(folder, name));
      const found = await findActions(exported as object, name);
      problems.push(...found.problems);
      if (found.actions.length === 0) problems.push(`${name}: it exports no action`);
      for (const action of found.actions) actions.set(action.id, action);
    } catch (error) {
      problems.push(`${name}: ${textOf(error).split("\n")[0] ?? ""}`);
    }
  }
  return { actions, problems };
}

/**
 * Resolves as an import from the folder would; for packages without a `require` entry, reads their
 * package.json.
 */
async function resolve(folder: string, name: string): Promise<string> {
  const from = createRequire(join(folder, "package.json"));
  try {
    return pathToFileURL(from.resolve(name)).href;
  } catch (error) {
    const text = await readFile(join(folder, "node_modules", name, "package.json"), "utf8").catch(() => null);
    const entry = text === null ? undefined : importEntry(JSON.parse(text));
    if (entry === undefined) throw error;
    return pathToFileURL(join(folder, "node_modules", name, entry)).href;
  }
}

function importEntry(description: unknown): string | undefined {
  let value = at(description, "exports");
  value = at(value, ".") ?? value;
  for (let depth = 0; depth < 4 && typeof value === "object"; depth++)
    value = at(value, "import") ?? at(value, "node") ?? at(value, "default");
  return typeof value === "string" ? value : undefined;
}

const at = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
