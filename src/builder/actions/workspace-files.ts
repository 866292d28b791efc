import { readdir, rm, lstat, mkdir, rename } from "node:fs/promises";
import { join, relative, dirname } from "node:path";
import { yieldToEventLoop } from "../../platform/lib/files/small-files.ts";
import type { Action, ActionContext } from "./action.ts";
import { overrunReason } from "../renderer.ts";
import { inWorkspace, segmentsOf } from "../git/tree.ts";
import { builderFailure } from "../errors.ts";

export const fsDelete: Action = {
  id: "fs:delete",
  description: "Deletes files and folders of the workspace. A file that does not exist is not a failure.",
  supportsDryRun: true,
  staysInWorkspace: true,
  input: {
    type: "object",
    required: ["files"],
    properties: {
      files: {
        type: "array",
        maxItems: 1_000,
        title: "Files",
        description: "Paths in the workspace, or patterns with `*`, `**` and `?`.",
        items: { type: "string", minLength: 1, maxLength: 1_000 },
      },
    },
  },
  async run(ctx) {
    const { input, workspace: files, say, signal } = ctx;
    const workspace = await files.folder();
    for (const file of input["files"] as string[]) {
      signal.throwIfAborted();
      const paths = /[*?{]/.test(file) ? await matching(workspace, file, ctx) : [segmentsOf(file).join("/")];
      for (const path of paths) {
        const target = path === "" ? "" : inWorkspace(workspace, path);
        if (target === "") await emptyFolder(workspace);
        else await rm(target, { recursive: true, force: true });
        say(`Deleted ${path === "" ? "everything" : path}.`);
      }
    }
  },
};

async function matching(
  workspace: string,
  pattern: string,
  { deps, signal }: ActionContext,
): Promise<string[]> {
  segmentsOf(pattern);
  const entries = await readdir(workspace, { recursive: true, withFileTypes: true });
  const paths: string[] = [];
  for (const entry of entries) {
    await yieldToEventLoop();
    signal.throwIfAborted();
    if (!entry.isDirectory()) paths.push(relative(workspace, join(entry.parentPath, entry.name)));
  }
  const found = await deps.renderer.run("paths", { pattern, paths });
  if (Array.isArray(found)) return found.toSorted();
  const reason = overrunReason(found, deps.settings.renderTimeoutMs);
  throw refuse(`The pattern "${pattern}" could not be matched with ${paths.length} files: ${reason}.`);
}

/** The workspace folder itself stays. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Maximum number of entries in the output of one step, which is stored in the database. */
const maxEntries = 5_000;

const entryList = {
  type: "array",
  items: {
    type: "object",
    properties: {
      name: { type: "string" },
      path: { type: "string", description: "Relative to the workspace." },
      fullPath: {
        type: "string",
        description: "The same path: the folder of the workspace on disk is not exposed.",
      },
    },
  },
};

export const fsReaddir: Action = {
  id: "fs:readdir",
  description: "Lists files and folders of the workspace.",
  supportsDryRun: true,
  staysInWorkspace: true,
  onlyReads: true,
  input: {
    type: "object",
    required: ["paths"],
    properties: {
      paths: { type: "array", maxItems: 100, items: { type: "string", minLength: 1 } },
      recursive: { type: "boolean", default: false },
    },
  },
  output: { type: "object", properties: { files: entryList, folders: entryList } },
  async run({ input, workspace: files, output }) {
    const workspace = await files.folder();
    const { paths, recursive = false } = input as { paths: string[]; recursive?: boolean };
    const lists: Record<"files" | "folders", { name: string; path: string; fullPath: string }[]> = {
      files: [],
      folders: [],
    };
    for (const each of paths) {
      const folder = inWorkspace(workspace, each);
      const stats = await lstat(folder).catch(() => undefined);
      if (stats?.isDirectory() !== true) throw refuse(`There is no folder "${each}" in the workspace.`);
      const entries = await readdir(folder, { recursive, withFileTypes: true });
      for (const entry of entries) {
        const path = relative(workspace, join(entry.parentPath, entry.name));
        lists[entry.isDirectory() ? "folders" : "files"].push({ name: entry.name, path, fullPath: path });
      }
      if (lists.files.length + lists.folders.length > maxEntries)
        throw refuse(`There are more than ${maxEntries} files and folders to list.`);
    }
    const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
    output("files", lists.files.toSorted(byPath));
    output("folders", lists.folders.toSorted(byPath));
  },
};

interface Move {
  from: string;
  to: string;
  overwrite?: boolean;
}

export const fsRename: Action = {
  id: "fs:rename",
  description: "Renames files and folders within the workspace.",
  supportsDryRun: true,
  staysInWorkspace: true,
  input: {
    type: "object",
    required: ["files"],
    properties: {
      files: {
        type: "array",
        maxItems: 1_000,
        title: "Files",
        items: {
          type: "object",
          required: ["from", "to"],
          properties: {
            from: { type: "string", minLength: 1, description: "Present path." },
            to: { type: "string", minLength: 1, description: "New path; missing folders are created." },
            overwrite: {
              type: "boolean",
              default: false,
              description: "Whether an existing file is replaced.",
            },
          },
        },
      },
    },
  },
  async run({ input, workspace: files, say, signal }) {
    const workspace = await files.folder();
    for (const { from, to, overwrite = false } of input["files"] as Move[]) {
      signal.throwIfAborted();
      const source = inWorkspace(workspace, from);
      const target = inWorkspace(workspace, to);
      if (source === workspace || target === workspace || `${target}/`.startsWith(`${source}/`)) {
        if (source === target && source !== workspace) continue;
        throw refuse(`"${from}" cannot become "${to}", which is in itself.`);
      }
      if (!(await exists(source))) throw refuse(`There is no "${from}" in the workspace.`);
      if (await exists(target)) {
        if (!overwrite) throw refuse(`"${to}" is there already, and \`overwrite\` is not set.`);
        await rm(target, { recursive: true, force: true });
      }
      await mkdir(dirname(target), { recursive: true });
      await rename(source, target);
      say(`Renamed ${from} to ${to}.`);
    }
  },
};

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const refuse = (message: string) => builderFailure("BUILDER_ACTION_INPUT", { message });
