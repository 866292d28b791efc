import { readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { yieldToEventLoop } from "../../../platform/lib/small-files.ts";
import { matchesPattern } from "../../templates/path-pattern.ts";
import type { Action } from "../action.ts";
import { inWorkspace, segmentsOf } from "../../workspaces/workspace-path.ts";

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
        items: { type: "string", minLength: 1, maxLength: 1_000 },
      },
    },
  },
  async run({ input, workspace: files, say, signal }) {
    const workspace = await files.folder();
    for (const file of input["files"] as string[]) {
      signal.throwIfAborted();
      const paths = /[*?{]/.test(file)
        ? await matching(workspace, file, signal)
        : [segmentsOf(file).join("/")];
      for (const path of paths) {
        const target = path === "" ? "" : inWorkspace(workspace, path);
        if (target === "") await emptyFolder(workspace);
        else await rm(target, { recursive: true, force: true });
        say(`Deleted ${path === "" ? "everything" : path}.`);
      }
    }
  },
};

async function matching(workspace: string, pattern: string, signal: AbortSignal): Promise<string[]> {
  segmentsOf(pattern);
  const entries = await readdir(workspace, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    // Matching yields from time to time, so that a slow pattern does not block the server.
    await yieldToEventLoop();
    signal.throwIfAborted();
    const path = relative(workspace, join(entry.parentPath, entry.name));
    if (!entry.isDirectory() && matchesPattern(pattern, path)) found.push(path);
  }
  return found.toSorted();
}

/** The workspace folder itself stays. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}
