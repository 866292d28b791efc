/** Loads the actions of the modules in an operator's module folder. */
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../../platform/errors/failure.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { makeFolder } from "../../../platform/lib/files/make-folder.ts";
import type { BuilderSettings } from "../../context.ts";
import { builderFailure } from "../../errors.ts";
import { withScratch } from "../../git/run-git.ts";
import type { Action, ActionContext } from "../action.ts";
import type { FromModule, ListedAction, ToModule } from "./messages.ts";
import { failure, runModuleProcess } from "./module-runner.ts";

export interface LoadModulesOptions {
  settings: Pick<BuilderSettings, "actions" | "dataDir">;
  log: Logger;
  now: () => Date;
  signal?: AbortSignal;
}

interface Installed {
  folder: string;
  modules: string[];
  settings: BuilderSettings["actions"];
  dataDir: string;
}

/** Modules are loaded once to list their actions; each run loads them again in a process of its own. */
const listTimeoutMs = 120_000;
const maxOutputBytes = 1024 * 1024;

/** Never rejects: a module that cannot be loaded is logged, and its actions are unknown. */
export async function loadModuleActions(options: LoadModulesOptions): Promise<Action[]> {
  const { settings, log } = options;
  const { folder } = settings.actions;
  if (folder === undefined) return [];
  try {
    const modules = await readModules(folder);
    const installed = { folder, modules, settings: settings.actions, dataDir: settings.dataDir };
    const { actions, problems } = await listActions(installed, options);
    for (const problem of problems) log.error({ folder, problem }, "a module of actions has problems");
    log.info({ folder, actions: actions.map(({ id }) => id) }, "modules of actions are loaded");
    return actions.map((listed) => moduleAction(listed, installed));
  } catch (error) {
    log.error({ folder, error }, "the modules of actions cannot be loaded");
    return [];
  }
}

/** Names that the folder's package.json lists. */
async function readModules(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, "package.json"), "utf8");
  const description = JSON.parse(text) as {
    plinth?: { actionModules?: string[] };
    dependencies?: Record<string, string>;
  };
  return description.plinth?.actionModules ?? Object.keys(description.dependencies ?? {});
}

async function listActions(
  { folder, modules, settings, dataDir }: Installed,
  { log, now, signal = new AbortController().signal }: LoadModulesOptions,
): Promise<{ actions: ListedAction[]; problems: string[] }> {
  await makeFolder(dataDir);
  let found: FromModule | undefined;
  await withScratch({ dataDir, now }, async (scratch) => {
    const temporary = await realpath(scratch);
    await runModuleProcess({
      first: { kind: "list", folder, modules },
      writable: [temporary],
      temporary,
      isConfined: settings.confined,
      maxMemoryMb: settings.maxMemoryMb,
      timeoutMs: listTimeoutMs,
      signal,
      onLine: (line) => log.debug({ folder, line }, "output of a module of actions"),
      onMessage(message) {
        if (message.kind === "actions") found = message;
        return message.kind === "actions";
      },
    });
  });
  return found?.kind === "actions" ? found : { actions: [], problems: ["nothing was listed"] };
}

const moduleAction = (listed: ListedAction, installed: Installed): Action => ({
  id: listed.id,
  description: listed.description,
  input: listed.input,
  ...(listed.output === null ? {} : { output: listed.output }),
  supportsDryRun: listed.supportsDryRun,
  run: (ctx) => runModuleAction(listed.id, installed, ctx),
});

async function runModuleAction(actionId: string, installed: Installed, ctx: ActionContext): Promise<void> {
  const { folder, modules, settings, dataDir } = installed;
  const { input, secrets, user, taskId, stepId, isDryRun, template, signal, say, now } = ctx;
  await withScratch({ dataDir, now }, async (scratch) => {
    const [temporary = "", workspace = ""] = await Promise.all(
      [scratch, await ctx.workspace.folder()].map((path) => realpath(path)),
    );
    const step = { actionId, input, workspace, temporary, secrets, user, taskId, stepId, isDryRun, template };
    await runModuleProcess({
      first: { kind: "run", folder, modules, step },
      writable: [workspace, temporary],
      temporary,
      isConfined: settings.confined,
      maxMemoryMb: settings.maxMemoryMb,
      timeoutMs: settings.timeoutMs,
      signal,
      onLine: (line) => say(line, "DEBUG"),
      onMessage: messageHandler(ctx),
    });
  });
}

/** Handles each message of a running action. */
function messageHandler(
  ctx: ActionContext,
): (message: FromModule, send: (message: ToModule) => void) => boolean {
  const works = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let outputBytes = 0;
  const store = async (number: number, key: string, send: (message: ToModule) => void): Promise<void> => {
    try {
      const value = await ctx.checkpoint(`${ctx.stepId}:${key}`, () => {
        const { promise, resolve, reject } = Promise.withResolvers<unknown>();
        works.set(number, { resolve, reject });
        send({ kind: "work", number });
        return promise;
      });
      send({ kind: "checkpoint", number, value });
    } catch (error) {
      // Only messages meant for users are passed on; anything else would be a defect of ours.
      const isReported = error instanceof Failure || error instanceof ModuleError;
      if (!isReported) ctx.log.error({ error }, "a checkpoint of a module could not be stored");
      send({
        kind: "checkpointFailed",
        number,
        message: isReported ? error.message : "the checkpoint could not be stored",
      });
    }
  };
  return (message, send) => {
    if (message.kind === "log") ctx.say(message.message.slice(0, 10_000), message.severity);
    else if (message.kind === "output") {
      outputBytes += JSON.stringify(message.value ?? null).length;
      if (outputBytes > maxOutputBytes)
        throw builderFailure("BUILDER_ACTION_FAILED", {
          message: `The action puts out more than ${maxOutputBytes} bytes.`,
        });
      ctx.output(message.name, message.value);
    } else if (message.kind === "checkpoint") void store(message.number, message.key, send);
    else if (message.kind === "worked") works.get(message.number)?.resolve(message.value ?? null);
    else if (message.kind === "workFailed")
      works.get(message.number)?.reject(new ModuleError(message.message));
    else if (message.kind === "failed") throw failure(message.message.slice(0, 1_000));
    return message.kind === "done";
  };
}

/** The message of a module's own error. */
class ModuleError extends Error {}
