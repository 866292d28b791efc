/**
 * The files of a task as one archive, which is stored in the database with the result of each step that has
 * changed them, so that any worker can continue.
 */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { mkdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGunzip, createGzip, gzip, gzipSync } from "node:zlib";
import { extract, pack } from "tar-stream";
import { yieldToEventLoop, readSmall } from "../../../platform/lib/files/small-files.ts";
import { builderFailure } from "../../errors.ts";
import type { Tree } from "./tree.ts";

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

type Files = Pick<Tree, "files" | "folders">;
type Pack = ReturnType<typeof pack>;

/** Called with each file; may refuse it by throwing. */
export type LookAtFile = (path: string, bytes: Buffer) => void;

/** Reads every file of the folder once. */
export async function packFolder(
  root: string,
  files: readonly WorkspaceFile[],
  look: LookAtFile,
): Promise<Buffer> {
  const tar = pack();
  const add = async (): Promise<void> => {
    for (const file of files) await addEntry(root, file, { tar, look });
    tar.finalize();
  };
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const [archive] = await Promise.all([
    total <= packedAtOnce ? zipAtOnce(tar) : zipInParts(tar),
    add().catch((error: Error) => {
      tar.destroy(error);
      throw error;
    }),
  ]);
  return archive;
}

/** The same for files in memory. */
export async function packFiles({ files, folders }: Files, look: LookAtFile): Promise<Buffer> {
  for (const { path, content } of files) look(path, content);
  const tar = pack();
  for (const name of folders) tar.entry({ name, type: "directory", mode: 0o755 });
  for (const { path, content, isExecutable } of files)
    tar.entry({ name: path, mode: isExecutable ? 0o755 : 0o644, size: content.length }, content);
  tar.finalize();
  return zipAtOnce(tar);
}

/** Most bytes that are compressed in one call, which saves a thread-pool task for each entry. */
const packedAtOnce = 4 * 1024 * 1024;
/** Most bytes that are compressed synchronously in this thread. */
const packedHere = 256 * 1024;
const speed = { level: 1 };
const zip = promisify<Buffer, { level: number }, Buffer>(gzip);

async function zipAtOnce(tar: Pack): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return bytes.length <= packedHere ? gzipSync(bytes, speed) : zip(bytes, speed);
}

async function zipInParts(tar: Pack): Promise<Buffer> {
  const zipped = createGzip(speed);
  const chunks: Buffer[] = [];
  zipped.on("data", (chunk: Buffer) => chunks.push(chunk));
  await pipeline(tar, zipped);
  return Buffer.concat(chunks);
}

async function addEntry(
  root: string,
  { path, kind, mode, bytes: size }: WorkspaceFile,
  { tar, look }: { tar: Pack; look: LookAtFile },
): Promise<void> {
  const at = join(root, path);
  if (kind === "folder") return void tar.entry({ name: path, type: "directory", mode });
  if (kind === "link") {
    const linkname = await readlink(at);
    if (!isWithin(root, resolve(dirname(at), linkname))) {
      const message = `${path} is a link that leads out of the workspace.`;
      throw builderFailure("BUILDER_STEP_FAILED", { message });
    }
    return void tar.entry({ name: path, type: "symlink", linkname });
  }
  await yieldToEventLoop();
  const bytes = await readSmall(at, size);
  look(path, bytes);
  await new Promise<void>((done, fail) => {
    tar.entry({ name: path, mode, size: bytes.length }, bytes, (error) => (error ? fail(error) : done()));
  });
}

/** Recreates the folder from the archive. */
export async function restoreWorkspace(root: string, archive: Buffer): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  const reader = extract();
  const gunzip = createGunzip();
  const reading = pipeline(gunzip, reader);
  // An error of an entry is thrown below, which ends the reading too.
  reading.catch(() => {});
  gunzip.end(archive);
  const links: { at: string; target: string }[] = [];
  for await (const entry of reader) {
    const { name, type, linkname, mode } = entry.header;
    const at = resolve(root, name);
    if (!isWithin(root, at)) throw new Error("a packed workspace leads out of itself");
    if (type === "directory") await mkdir(at, { recursive: true, mode });
    else if (type === "symlink") links.push({ at, target: linkname ?? "" });
    else {
      const parts: Buffer[] = [];
      for await (const part of entry) parts.push(part as Buffer);
      await writeFile(at, Buffer.concat(parts), { mode });
    }
    entry.resume();
  }
  await reading;
  // Symbolic links come last, so that nothing is written through one.
  for (const { at, target } of links) await symlink(target, at);
}

const isWithin = (root: string, path: string): boolean => path === root || path.startsWith(root + sep);
