/** Files that have been fetched from any source, held in memory within limits until they are written. */
import { builderFailure } from "../errors.ts";
import { isUtf8 } from "node:buffer";
import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../platform/errors/error-code.ts";

// The only way from a path in an input to a file. Paths of a template are confined to the workspace: a path
// must not climb out of it, and no part of it may be a symbolic link, which could lead anywhere.

const maxPathLength = 1_024;
const maxDepth = 64;
/** The limit of common file systems. */
const maxNameBytes = 255;

/** The absolute path of a path in the workspace; the file need not exist. */
export function inWorkspace(workspace: string, path: string): string {
  const segments = segmentsOf(path);
  let current = workspace;
  for (const segment of segments) {
    current = join(current, segment);
    const stats = entryAt(current);
    if (stats === undefined) return join(workspace, ...segments);
    if (stats.isSymbolicLink()) throw refuse(path, "leads over a symbolic link");
  }
  return current;
}

/** The segments of a path; none for the folder itself. Rejects ambiguous and unsafe paths. */
export function segmentsOf(path: string): string[] {
  if (path.length > maxPathLength)
    throw refuse(path.slice(0, 100), `is longer than ${maxPathLength} characters`);
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) throw refuse(path, "holds control characters");
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) throw refuse(path, "is absolute");
  if (path.includes("\\")) throw refuse(path, "holds a backslash");
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw refuse(path, "climbs out of its folder");
  if (segments.some((segment) => Buffer.byteLength(segment) > maxNameBytes))
    throw refuse(path, `has a name of more than ${maxNameBytes} bytes`);
  if (segments.length > maxDepth) throw refuse(path, `is deeper than ${maxDepth} folders`);
  return segments;
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A path below a file does not exist either.
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

const refuse = (path: string, why: string) =>
  builderFailure("BUILDER_ACTION_INPUT", {
    message: `The path "${path}" ${why}; paths are relative and stay in the workspace.`,
  });

export interface TreeFile {
  /** Relative, with slashes. */
  path: string;
  content: Buffer;
  isExecutable: boolean;
}

export interface Tree {
  files: TreeFile[];
  /** Folders, including empty ones. */
  folders: string[];
  /** Symbolic links and other entries that are not copied. */
  skipped: string[];
}

export interface TreeLimits {
  maxEntries: number;
  maxBytes: number;
  maxFileBytes: number;
}

const MiB = 1024 * 1024;

export const treeLimits: TreeLimits = { maxEntries: 5_000, maxBytes: 50 * MiB, maxFileBytes: 20 * MiB };

export interface TreeBuilder {
  tree: Tree;
  /** Throws before any byte is read: when the file is too large, or there are too many entries. */
  reserve: (path: string, bytes: number) => void;
}

/** Collects a tree; throws a Failure at the first entry over a limit or with an unsafe path. */
export function createTreeBuilder(limits: TreeLimits = treeLimits): TreeBuilder {
  const tree: Tree = { files: [], folders: [], skipped: [] };
  let entries = 0;
  let total = 0;
  return {
    tree,
    reserve(path, bytes) {
      entries += 1;
      total += bytes;
      if (entries > limits.maxEntries) throw tooLarge(`more than ${limits.maxEntries} files and folders`);
      if (bytes > limits.maxFileBytes)
        throw tooLarge(`a file of more than ${limits.maxFileBytes} bytes, ${path.slice(0, 200)}`);
      if (total > limits.maxBytes) throw tooLarge(`more than ${limits.maxBytes} bytes`);
      segmentsOf(path);
    },
  };
}

/** Git's own folders are never copied: their content would configure the next git process that reads them. */
export const isGitFolder = (path: string): boolean =>
  path.split("/").some((segment) => segment.toLowerCase().replace(/[. ]+$/, "") === ".git");

export const tooLarge = (what: string) =>
  builderFailure("BUILDER_FETCH_TOO_LARGE", { message: `What is fetched has ${what}.` });

/** Whether the bytes are not UTF-8 text, or contain a zero byte; such files are copied unchanged. */
export function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, 8_192).includes(0) || !isUtf8(content);
}
