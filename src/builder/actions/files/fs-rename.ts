import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { builderFailure } from "../../errors.ts";
import type { Action } from "../action.ts";
import { inWorkspace } from "../../workspaces/workspace-path.ts";

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
            from: { type: "string", minLength: 1, description: "Path as it is." },
            to: { type: "string", minLength: 1, description: "Path as it becomes; folders are made." },
            overwrite: { type: "boolean", default: false, description: "Whether what is there is replaced." },
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
