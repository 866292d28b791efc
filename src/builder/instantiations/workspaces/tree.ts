/** Files that have been fetched from any source, held in memory within limits until they are written. */
import { builderFailure } from "../../errors.ts";
import { segmentsOf } from "./workspace-path.ts";

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
