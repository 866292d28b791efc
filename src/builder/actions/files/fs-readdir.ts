import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { builderFailure } from "../../errors.ts";
import type { Action } from "../action.ts";
import { inWorkspace } from "../../workspaces/workspace-path.ts";

/** Most entries in the output of one step, which is stored in the database. */
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

const refuse = (message: string) => builderFailure("BUILDER_ACTION_INPUT", { message });
