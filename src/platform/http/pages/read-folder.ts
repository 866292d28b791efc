/** Reads the built console into memory, once: a request touches no disk, and no path of a request becomes one of a file. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { brotliDecompressSync } from "node:zlib";

/** One file by its path on the server. */
export interface PageFile {
  contentType: string;
  /** Returns the uncompressed file, which may be decompressed at each call: hardly any client asks for it. */
  body: () => Buffer;
  /** Compressed before, by the name of the encoding; smaller than the body. */
  encoded: ReadonlyMap<string, Buffer>;
  etag: string;
  /** Whether its name says what is in it, so that it never changes. */
  isImmutable: boolean;
}

export interface PageFolder {
  /** The page that is answered for every address of the console. */
  index: string;
  /** All others, by their path: `/assets/index-1a2b3c4d.js`. */
  files: ReadonlyMap<string, PageFile>;
}

const maxFiles = 2_000;
const maxBytes = 64 * 1024 * 1024;
/** Those that a browser can ask for, the better one first. */
const encodings = { br: ".br", gzip: ".gz" } as const;

/** Maximum number of attempts to read the folder: an attempt fails when another build replaces the files meanwhile. */
const maxReads = 10;
const againMs = 100;

/** Returns null when the folder has no `index.html`. Throws when it has too many files or bytes, or when every attempt to read it failed. */
export async function readPageFolder(folder: string): Promise<PageFolder | null> {
  for (let reads = 0; reads < maxReads; reads += 1) {
    if (reads > 0) await pause(againMs);
    const index = await readIndex(folder);
    if (index === null) return null;
    const bodies = await readAll(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    // A page of one build does not find the files of another one.
    if (bodies !== null && index === (await readIndex(folder))) return pageFolder(index, bodies);
  }
  throw new Error(`${folder} was replaced by another build at each of ${maxReads} reads`);
}

const readIndex = (folder: string): Promise<string | null> =>
  readFile(join(folder, "index.html"), "utf8").catch(() => null);

function pageFolder(index: string, bodies: ReadonlyMap<string, Buffer>): PageFolder {
  const files = new Map<string, PageFile>();
  for (const [path, body] of bodies) {
    const isForm = Object.values(encodings).some(
      (end) => path.endsWith(end) && bodies.has(path.slice(0, -end.length)),
    );
    if (isForm || path === "/index.html") continue;
    const encoded = new Map<string, Buffer>();
    for (const [name, end] of Object.entries(encodings)) {
      const form = bodies.get(path + end);
      if (form !== undefined && form.length < body.length) encoded.set(name, form);
    }
    files.set(path, {
      contentType: contentTypes[extname(path)] ?? "application/octet-stream",
      body: uncompressed(body, encoded),
      encoded,
      etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
      isImmutable: /^\/assets\/.+-[\w-]{8,}\.\w+$/.test(path),
    });
  }
  return { index, files };
}

/** A file with a Brotli form is kept in memory in its compressed forms only, which together take less than the file itself. */
function uncompressed(body: Buffer, encoded: ReadonlyMap<string, Buffer>): () => Buffer {
  const br = encoded.get("br");
  return br === undefined ? () => body : () => brotliDecompressSync(br);
}

async function readAll(folder: string): Promise<Map<string, Buffer>> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  );
  if (entries.length > maxFiles) throw new Error(`${folder} has more than ${maxFiles} files`);
  const bodies = new Map<string, Buffer>();
  let bytes = 0;
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const body = await readFile(file);
    bytes += body.length;
    if (bytes > maxBytes) throw new Error(`${folder} has more than ${maxBytes} bytes`);
    bodies.set(`/${relative(folder, file).split(sep).join("/")}`, body);
  }
  return bodies;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};
