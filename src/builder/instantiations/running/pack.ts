/**
 * The files of a task as one archive, which is stored in the database with the result of each step that has
 * changed them, so that any worker can continue.
 */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { mkdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { readArchive } from "../../../platform/archive/read-archive.ts";
import { packEntries, type PackedEntry } from "../../../platform/archive/write-archive.ts";
import { yieldToEventLoop, readSmall } from "../../../platform/lib/files/small-files.ts";
import { builderFailure } from "../../errors.ts";
import type { Tree } from "../../git/tree.ts";

export interface WorkspaceLimits {
  workspaceBytes: number;
  workspaceFiles: number;
}

export interface WorkspaceFile {
  /** Path from the root of the workspace, with forward slashes. */
  path: string;
  kind: "file" | "folder" | "link";
  bytes: number;
  mode: number;
  changedAt: number;
}

/** Every entry, ordered by path; refuses more than the limits allow. */
export async function listWorkspace(root: string, limits: WorkspaceLimits): Promise<WorkspaceFile[]> {
  const found: WorkspaceFile[] = [];
  let bytes = 0;
  const visit = async (folder: string): Promise<void> => {
    for (const name of readdirSync(folder).toSorted()) {
      await yieldToEventLoop();
      const at = join(folder, name);
      const stat = lstatSync(at);
      const kind = stat.isDirectory()
        ? "folder"
        : stat.isFile()
          ? "file"
          : stat.isSymbolicLink()
            ? "link"
            : null;
      if (kind === null) continue;
      const path = relative(root, at).split(sep).join("/");
      bytes += kind === "file" ? stat.size : 0;
      found.push({ path, kind, bytes: stat.size, mode: stat.mode & 0o777, changedAt: stat.ctimeMs });
      checkSize({ files: found.length, bytes }, limits);
      if (kind === "folder") await visit(at);
    }
  };
  await visit(root);
  return found;
}

export function checkSize(size: { files: number; bytes: number }, limits: WorkspaceLimits): void {
  if (size.files > limits.workspaceFiles) throw tooLarge(`more than ${limits.workspaceFiles} files`);
  if (size.bytes > limits.workspaceBytes) throw tooLarge(`more than ${limits.workspaceBytes} bytes`);
}

const tooLarge = (what: string): Error =>
  builderFailure("BUILDER_STEP_FAILED", { message: `The workspace holds ${what}.` });

/** Changes whenever the workspace changes. */
export const fingerprintOf = (files: readonly WorkspaceFile[]): string =>
  files.length === 0 ? "" : createHash("sha256").update(JSON.stringify(files)).digest("hex");

/** Called with each file; may refuse it by throwing. */
export type LookAtFile = (path: string, bytes: Buffer) => void;

/** The fastest level: the archive is written after each step and read seldom. */
const level = 1;

/** Reads every file of the folder once. */
export const packFolder = (
  root: string,
  files: readonly WorkspaceFile[],
  look: LookAtFile,
): Promise<Buffer> =>
  packEntries(entriesOf(root, files, look), {
    contentBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    level,
  });

/** The same for files in memory. */
export function packFiles({ files, folders }: Pick<Tree, "files" | "folders">): Promise<Buffer> {
  const entries: PackedEntry[] = [
    ...folders.map((name): PackedEntry => ({ name, type: "directory", mode: 0o755 })),
    ...files.map(({ path, content, isExecutable }) => ({
      name: path,
      mode: isExecutable ? 0o755 : 0o644,
      content,
    })),
  ];
  return packEntries(entries, {
    contentBytes: files.reduce((sum, { content }) => sum + content.length, 0),
    level,
  });
}

async function* entriesOf(
  root: string,
  files: readonly WorkspaceFile[],
  look: LookAtFile,
): AsyncGenerator<PackedEntry> {
  for (const { path, kind, mode, bytes: size } of files) {
    const at = join(root, path);
    if (kind === "folder") yield { name: path, type: "directory", mode };
    else if (kind === "link") {
      const linkname = await readlink(at);
      if (!isWithin(root, resolve(dirname(at), linkname))) {
        const message = `${path} is a link that leads out of the workspace.`;
        throw builderFailure("BUILDER_STEP_FAILED", { message });
      }
      yield { name: path, type: "symlink", linkname };
    } else {
      await yieldToEventLoop();
      const content = await readSmall(at, size);
      look(path, content);
      yield { name: path, mode, content };
    }
  }
}

/** Recreates the folder from the archive. */
export async function restoreWorkspace(root: string, archive: Buffer): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  const links: { at: string; target: string }[] = [];
  await readArchive(
    archive,
    ({ name, type, linkname, mode }) => {
      const at = resolve(root, name);
      if (!isWithin(root, at)) throw new Error("a packed workspace leads out of itself");
      if (type === "directory") return async () => void (await mkdir(at, { recursive: true, mode }));
      if (type !== "symlink") return (content) => writeFile(at, content, { mode });
      links.push({ at, target: linkname ?? "" });
      return null;
    },
    // The archive is one of our own, and was within the limits when it was packed.
    { limits: {} },
  );
  // Symbolic links come last, so that nothing is written through one.
  for (const { at, target } of links) await symlink(target, at);
}

const isWithin = (root: string, path: string): boolean => path === root || path.startsWith(root + sep);
