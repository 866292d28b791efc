/** Shared by the tests of actions: the context of a step with a real workspace. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { loadConfig } from "../../platform/config/load.ts";
import type { Config } from "../../platform/config/schema/schema.ts";
import { newTraceparent } from "../../platform/lib/ids.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import { openOutboundClients } from "../../platform/outbound/outbound-clients.ts";
import type { BuilderDeps, BuilderSettings } from "../context.ts";
import { builderSettings } from "../settings.ts";
import { createRenderer } from "../renderer.ts";
import { writeTree } from "../instantiations/running/workspace.ts";
import type { Action, ActionContext, Workspace } from "./action.ts";

export interface Bench {
  /** The folder that contains all files of the test. */
  folder: string;
  workspace: string;
  deps: BuilderDeps;
  /** Stored checkpoints, which survive a retry. */
  checkpoints: Map<string, unknown>;
  /** Runs an action as one step of one instantiation. */
  run: (
    action: Action,
    input: Record<string, unknown>,
    changes?: Partial<ActionContext>,
  ) => Promise<StepResult>;
  close: () => Promise<void>;
}

export interface StepResult {
  outputs: Record<string, unknown>;
  said: string[];
}

/** Actions on this machine, with requests to this machine allowed. */
export async function actionBench(
  changes: Partial<BuilderSettings> = {},
  { allowPrivateNetworks = true, ...changedOutbound }: Partial<Config["outbound"]> = {},
): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), "plinth-actions-"));
  const workspace = join(folder, "workspace");
  await mkdir(workspace);
  const { config } = loadConfig({ files: [], env: {}, cwd: folder });
  const renderer = createRenderer({ workers: 1 });
  const { clients: outbound, close: closeOutbound } = openOutboundClients(
    { ...config.outbound, allowPrivateNetworks, ...changedOutbound },
    silentLogger,
  );
  const settings = { ...builderSettings({ ...config, dataDir: join(folder, "data") }), ...changes };
  const deps: BuilderDeps = { ...Object.create(null), renderer, outbound, settings };
  const checkpoints = new Map<string, unknown>();
  return {
    folder,
    workspace,
    deps,
    checkpoints,
    async run(action, input, more = {}) {
      const result: StepResult = { outputs: {}, said: [] };
      await action.run({
        deps,
        input,
        workspace: onDisk(workspace),
        say: (message) => void result.said.push(message),
        output: (name, value) => void (result.outputs[name] = value),
        signal: new AbortController().signal,
        log: silentLogger,
        now: () => new Date("2026-03-04T05:06:07Z"),
        isDryRun: false,
        taskId: "task-1",
        traceparent: newTraceparent(),
        stepId: "step",
        secrets: {},
        user: "user:default/ada",
        template: {
          entityRef: "template:default/ship",
          baseUrl: `file:${join(folder, "template", "template.yaml")}`,
        },
        parameters: {},
        environment: {},
        withoutSecrets: (values) => ({ ...values }),
        async checkpoint<T>(key: string, work: () => Promise<T>): Promise<T> {
          if (!checkpoints.has(key)) checkpoints.set(key, await work());
          return checkpoints.get(key) as T;
        },
        async undo(work) {
          await work(new AbortController().signal);
          return true;
        },
        ...more,
      });
      return result;
    },
    async close() {
      await renderer.close();
      await closeOutbound();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A workspace in a folder that tests inspect. */
export const onDisk = (folder: string): Workspace => ({
  folder: async () => folder,
  write: (tree, options) => writeTree(tree, { ...options, workspace: folder }),
});

/** Writes files by their path below a folder. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/**
 * Every file below a folder as text; `*` after the path of an executable file, a slash after that of an empty
 * folder.
 */
export async function readFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: [string, string][] = [];
  for (const entry of entries) {
    const at = join(entry.parentPath, entry.name);
    const path = relative(folder, at);
    if (entry.isDirectory()) {
      if ((await readdir(at)).length === 0) found.push([`${path}/`, ""]);
    } else {
      const mark = ((await stat(at)).mode & 0o100) === 0 ? "" : "*";
      found.push([path + mark, await readFile(at, "utf8")]);
    }
  }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
