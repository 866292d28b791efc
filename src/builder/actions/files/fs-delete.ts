import { readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Action } from "../action.ts";
import { matchesPattern } from "../path-pattern.ts";
import { inWorkspace, segmentsOf } from "../workspace-path.ts";

export const fsDelete: Action = {
  id: "fs:delete",
  description: "Deletes files and folders of the workspace. What is not there is no failure.",
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
        items: { type: "string", minLength: 1 },
      },
    },
  },
  async run({ input, workspace, say, signal }) {
    for (const file of input["files"] as string[]) {
      signal.throwIfAborted();
      const paths = /[*?{]/.test(file) ? await matching(workspace, file) : [segmentsOf(file).join("/")];
      for (const path of paths) {
        const target = path === "" ? "" : await inWorkspace(workspace, path);
        if (target === "") await emptyFolder(workspace);
        else await rm(target, { recursive: true, force: true });
        say(`Deleted ${path === "" ? "everything" : path}.`);
      }
    }
  },
};

async function matching(workspace: string, pattern: string): Promise<string[]> {
  segmentsOf(pattern);
  const entries = await readdir(workspace, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(workspace, join(entry.parentPath, entry.name)))
    .filter((path) => matchesPattern(pattern, path))
    .toSorted();
}

/** The workspace itself stays. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}
