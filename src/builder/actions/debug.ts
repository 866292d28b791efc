import { open, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Action } from "./action.ts";
import { builderFailure } from "../errors.ts";

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

const longestMs = 10 * 60_000;

export const debugWait: Action = {
  id: "debug:wait",
  description: "Waits, ten minutes at most.",
  supportsDryRun: true,
  staysInWorkspace: true,
  onlyReads: true,
  input: {
    type: "object",
    properties: {
      minutes: { type: "number", minimum: 0 },
      seconds: { type: "number", minimum: 0 },
      milliseconds: { type: "number", minimum: 0 },
    },
  },
  async run({ input, say, signal, isDryRun }) {
    const { minutes = 0, seconds = 0, milliseconds = 0 } = input as Record<string, number | undefined>;
    const ms = minutes * 60_000 + seconds * 1_000 + milliseconds;
    if (ms > longestMs) {
      throw builderFailure("BUILDER_ACTION_INPUT", {
        message: `debug:wait waits for ${longestMs / 60_000} minutes at most, not for ${ms} ms.`,
      });
    }
    say(`Waiting for ${ms} ms.`);
    if (!isDryRun) await wait(ms, undefined, { signal });
  },
};
