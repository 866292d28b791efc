/** Reads a file or a .tar.gz from an http(s) address. */
import { ArchiveFault, readArchive, type VisitEntry } from "../../platform/archive/read-archive.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import { builderFailure } from "../errors.ts";
import { unreachable } from "./remote.ts";
import { createTreeBuilder, isGitFolder, tooLarge, treeLimits, type Tree } from "./tree.ts";

interface ReadHttpOptions {
  outbound: Outbound;
  token?: string | undefined;
  /** What to say where the answer is that of a request without a token. */
  hint: string | null;
  signal: AbortSignal;
}

/** How hosts answer who may not read a page; some do not say that it exists. */
const asForNobody: ReadonlySet<number> = new Set([401, 403, 404]);
const maxRedirects = 5;
const timeoutMs = 60_000;
const archiveLimits = {
  // Allows for the headers and padding that tar adds to every entry.
  unpackedBytes: treeLimits.maxBytes * 2,
  ratio: 100,
  ratioFreeBytes: 1024 * 1024,
};

export async function readHttp(url: string, options: ReadHttpOptions): Promise<Tree> {
  const { body, name } = await download(url, options);
  const isArchive = /\.(?:tar\.gz|tgz)$/i.test(name) || (body[0] === 0x1f && body[1] === 0x8b);
  if (isArchive) return unpack(body, options.signal);
  const { tree, reserve } = createTreeBuilder();
  reserve(name, body.length);
  tree.files.push({ path: name, content: body, isExecutable: false });
  return tree;
}

/**
 * Each redirect is checked like the first address; a token is sent only to the origin that it was given for.
 */
async function download(
  url: string,
  { outbound, token, hint, signal }: ReadHttpOptions,
): Promise<{ body: Buffer; name: string }> {
  let current = new URL(url);
  const { origin } = current;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const answer = await outbound
      .request({
        method: "GET",
        url: current.href,
        headers: token !== undefined && current.origin === origin ? { authorization: `Bearer ${token}` } : {},
        timeoutMs,
        maxResponseBytes: treeLimits.maxFileBytes,
        signal,
      })
      .catch((error: unknown) => {
        throw outboundFailure(error);
      });
    if (answer.status === 200)
      return { body: answer.body, name: decodeName(current.pathname.split("/").at(-1) ?? "") };
    const next = answer.headers["location"];
    const isRedirect = answer.status >= 300 && answer.status < 400 && next !== undefined;
    if (!isRedirect) {
      const more = hint !== null && asForNobody.has(answer.status) ? ` ${hint}` : "";
      throw unreadable(`the answer was ${answer.status}.${more}`);
    }
    const target = URL.parse(next, current.href);
    if (target === null) throw unreadable("it redirects to an invalid address.");
    current = target;
  }
  throw unreadable(`it redirects more than ${maxRedirects} times.`);
}

function outboundFailure(error: unknown): unknown {
  if (!(error instanceof OutboundError) || error.reason === "aborted") return error;
  if (error.reason === "too_large") return tooLarge(`more than ${treeLimits.maxFileBytes} bytes`);
  return unreachable(error);
}

const decodeName = (name: string): string => {
  try {
    const decoded = decodeURIComponent(name);
    return decoded === "" || decoded.includes("/") ? "file" : decoded;
  } catch {
    return "file";
  }
};

async function unpack(body: Buffer, signal: AbortSignal): Promise<Tree> {
  const { tree, reserve } = createTreeBuilder();
  const visit: VisitEntry = ({ name, type, size, mode }) => {
    const path = name.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
    if (path === "" || path === "." || isGitFolder(path)) return null;
    if (type === "directory") {
      reserve(path, 0);
      tree.folders.push(path);
    } else if (type === "file" || type === "contiguous-file") {
      reserve(path, size);
      const isExecutable = ((mode ?? 0) & 0o100) !== 0;
      return (content) => void tree.files.push({ path, content, isExecutable });
    } else tree.skipped.push(path);
    return null;
  };
  try {
    await readArchive(body, visit, { limits: archiveLimits, signal });
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error;
    const isTooMuch = error.reason === "ratio" || error.reason === "unpackedBytes";
    throw isTooMuch
      ? tooLarge("an archive that unpacks to too much")
      : unreadable("it is not a sound .tar.gz archive.");
  }
  return withoutWrapper(tree);
}

/** Hosts pack a repository into one folder named after it, which is removed here. */
function withoutWrapper(tree: Tree): Tree {
  const tops = new Set(
    [...tree.files.map(({ path }) => path), ...tree.folders].map((path) => path.split("/")[0]),
  );
  const [top = ""] = tops;
  const isWrapped = tops.size === 1 && tree.files.every(({ path }) => path.includes("/"));
  if (!isWrapped) return tree;
  const cut = (path: string): string => path.slice(top.length + 1);
  return {
    files: tree.files.map((file) => ({ ...file, path: cut(file.path) })),
    folders: tree.folders.filter((path) => path !== top).map(cut),
    skipped: tree.skipped,
  };
}

const unreadable = (message: string) => builderFailure("BUILDER_FETCH_FAILED", { message });
