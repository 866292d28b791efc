/** Reads files from a repository, remote or our own, without a checkout. */
import { isGitFolder, createTreeBuilder, type Tree, type TreeLimits } from "./tree.ts";
import type { Remote } from "./remote.ts";
import { git, tryGit } from "./run-git.ts";
import { builderFailure } from "../errors.ts";

export interface Revision {
  gitDir: string;
  /** Anything that names a commit. */
  commit: string;
}

/** Largest pack that a remote may send. */
const maxPackBytes = 200 * 1024 * 1024;
const timeoutMs = 120_000;

/** Fetches one commit of a remote into an empty folder; `ref` is a branch, tag or commit, the default branch if null. */
export async function fetchRevision(
  remote: Remote,
  { ref, gitDir, signal }: { ref: string | null; gitDir: string; signal: AbortSignal },
): Promise<Revision> {
  if (ref !== null) checkRef(ref);
  await git(["init", "-q", "--bare", gitDir], { signal });
  const options = { gitDir, signal, timeoutMs, maxFileBytes: maxPackBytes };
  await remote.run((url) => ["fetch", "-q", "--depth=1", "--no-tags", "--", url, ref ?? "HEAD"], options);
  return { gitDir, commit: "FETCH_HEAD" };
}

/** The files below a folder of a revision, or the single file that the path names, under its own name. */
export async function readTree(
  { gitDir, commit }: Revision,
  { path, limits, signal }: { path: string; limits?: TreeLimits; signal: AbortSignal },
): Promise<Tree> {
  const object = await findObject({ gitDir, commit }, path, signal);
  const { tree, reserve } = createTreeBuilder(limits);
  const name = path.split("/").at(-1) ?? "";
  const entries =
    object.kind === "blob" ? [{ ...object, path: name }] : await listEntries(gitDir, object.id, signal);
  const wanted: { id: string; path: string; isExecutable: boolean }[] = [];
  for (const entry of entries) {
    if (isGitFolder(entry.path)) continue;
    if (entry.mode === "040000") {
      reserve(entry.path, 0);
      tree.folders.push(entry.path);
    } else if (entry.mode === "100644" || entry.mode === "100755") {
      reserve(entry.path, entry.size);
      wanted.push({ id: entry.id, path: entry.path, isExecutable: entry.mode === "100755" });
    } else {
      tree.skipped.push(entry.path);
    }
  }
  const contents = await readBlobs(gitDir, wanted, signal);
  for (const [index, { path: at, isExecutable }] of wanted.entries())
    tree.files.push({ path: at, content: contents[index]!, isExecutable });
  return tree;
}

/** Refuses names that git could take for an option or an expression. */
export function checkRef(ref: string): void {
  if (/^[A-Za-z0-9_][A-Za-z0-9_./-]{0,200}$/.test(ref) && !ref.includes("..") && !ref.endsWith(".lock"))
    return;
  throw builderFailure("BUILDER_ACTION_INPUT", { message: `"${ref.slice(0, 100)}" is no name of a branch.` });
}

interface Entry {
  mode: string;
  kind: string;
  id: string;
  size: number;
  path: string;
}

async function findObject({ gitDir, commit }: Revision, path: string, signal: AbortSignal): Promise<Entry> {
  const options = { gitDir, signal };
  if (path === "") {
    const root = await tryGit(
      ["rev-parse", "--verify", "-q", "--end-of-options", `${commit}^{tree}`],
      options,
    );
    if (root.code !== 0)
      throw missing(`The repository has no ${commit === "FETCH_HEAD" ? "commit" : commit}.`);
    const id = root.output.toString("utf8").trim();
    return { mode: "040000", kind: "tree", id, size: 0, path: "" };
  }
  const { code, output } = await tryGit(["ls-tree", "-l", "-z", "--full-tree", commit, "--", path], {
    ...options,
    env: { GIT_LITERAL_PATHSPECS: "1" },
  });
  const [entry] = code === 0 ? parseEntries(output) : [];
  if (entry === undefined) throw missing(`The repository has no "${path}".`);
  return entry;
}

const missing = (message: string) => builderFailure("BUILDER_FETCH_FAILED", { message });

async function listEntries(gitDir: string, tree: string, signal: AbortSignal): Promise<Entry[]> {
  return parseEntries(
    await git(["ls-tree", "-r", "-t", "-l", "-z", "--full-tree", tree], { gitDir, signal }),
  );
}

function parseEntries(output: Buffer): Entry[] {
  return output
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const match = /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line);
      if (match === null) return [];
      const [, mode = "", kind = "", id = "", size = "0", path = ""] = match;
      return [{ mode, kind, id, size: Number(size) || 0, path }];
    });
}

/**
 * Reads all blobs with one process; each response is `<id> blob <size>`, a line feed, the bytes and a line
 * feed.
 */
async function readBlobs(
  gitDir: string,
  wanted: readonly { id: string }[],
  signal: AbortSignal,
): Promise<Buffer[]> {
  if (wanted.length === 0) return [];
  const output = await git(["cat-file", "--batch"], {
    gitDir,
    signal,
    input: wanted.map(({ id }) => `${id}\n`).join(""),
    // The sizes are known to be within the limits; adds some bytes for the lines between them.
    maxOutputBytes: 100 * 1024 * 1024,
  });
  const contents: Buffer[] = [];
  let at = 0;
  for (const { id } of wanted) {
    const end = output.indexOf(10, at);
    const [, kind, size] = output.toString("utf8", at, end).split(" ");
    if (end === -1 || kind !== "blob") throw missing(`The object ${id} is not in the repository.`);
    contents.push(output.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return contents;
}
