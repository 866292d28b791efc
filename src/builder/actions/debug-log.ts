import { open, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Action } from "./action.ts";

/** Limits of a workspace listing: files, and bytes shown of one file. */
const maxFiles = 200;
const maxBytes = 4_096;

export const debugLog: Action = {
  id: "debug:log",
  description: "Writes a message into the log, and lists the workspace when asked to.",
  supportsDryRun: true,
  staysInWorkspace: true,
  onlyReads: true,
  input: {
    type: "object",
    properties: {
      message: { type: "string", title: "Message" },
      listWorkspace: {
        title: "What of the workspace to list",
        anyOf: [{ type: "boolean" }, { type: "string", enum: ["with-filenames", "with-contents"] }],
      },
    },
  },
  async run({ input, say, workspace, signal }) {
    const { message, listWorkspace } = input as { message?: string; listWorkspace?: boolean | string };
    if (message !== undefined && message !== "") say(message);
    if (listWorkspace === undefined || listWorkspace === false) return;
    const root = await workspace.folder();
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
    const lines: string[] = [];
    for (const file of files.slice(0, maxFiles)) {
      signal.throwIfAborted();
      lines.push(`  - ${relative(root, file)}`);
      if (listWorkspace === "with-contents") lines.push(await beginningOf(file));
    }
    if (files.length > maxFiles) lines.push(`  and ${files.length - maxFiles} more`);
    say(`Workspace:\n${lines.join("\n")}`);
  },
};

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
