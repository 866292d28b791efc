/** Reads files of one commit in a repository on disk through one `git cat-file` process. */
import { git, killTree, spawnGit, tryGit, type GitProcess } from "../../git/run-git.ts";
import { tooLong, unreadable, maxListedFiles } from "./source.ts";

export interface GitObjects {
  /** The object at a path of the commit. */
  typeOf: (path: string) => Promise<"file" | "folder" | "none">;
  read: (path: string, maxBytes: number) => Promise<Buffer | null>;
  list: (folder: string) => Promise<string[]>;
  close: () => void;
}

export interface GitRun {
  gitDir: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** The commit is a hash or FETCH_HEAD, so it cannot be mistaken for an option. */
export function openGitObjects(commit: string, run: GitRun): GitObjects {
  let child: GitProcess | null = null;
  let reader: ReturnType<typeof createReader> | null = null;
  let previous: Promise<unknown> = Promise.resolve();

  const read = async (path: string, maxBytes: number): Promise<Buffer | null> => {
    if (path.includes("\n") || run.signal.aborted) return null;
    if (child === null || reader === null) {
      child = spawnGit(["cat-file", "--batch"], run);
      child.stdin.on("error", () => {});
      child.stderr.resume();
      reader = createReader(child);
    }
    child.stdin.write(`${commit}:${path}\n`);
    const timer = setTimeout(() => child && killTree(child), run.timeoutMs);
    try {
      return await readAnswer(reader, path, maxBytes);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    async typeOf(path) {
      if (path === "") return "folder";
      const { code, output } = await tryGit(["cat-file", "-t", `${commit}:${path}`], run);
      const word = code === 0 ? output.toString("utf8").trim() : "";
      return word === "blob" ? "file" : word === "tree" ? "folder" : "none";
    },
    read(path, maxBytes) {
      // One request at a time: the responses arrive in one stream.
      const answer = previous.then(() => read(path, maxBytes));
      previous = answer.catch(() => {});
      return answer;
    },
    async list(folder) {
      const tree = folder === "" ? commit : `${commit}:${folder}`;
      const text = (await git(["ls-tree", "-r", "-z", "--full-tree", tree], run)).toString("utf8");
      const files = text
        .split("\0")
        .filter((line) => line.startsWith("100"))
        .map((line) => line.slice(line.indexOf("\t") + 1))
        .map((path) => (folder === "" ? path : `${folder}/${path}`));
      if (files.length > maxListedFiles)
        throw unreadable("/target", `The location has more than ${maxListedFiles} files.`);
      return files.sort();
    },
    close() {
      if (child) killTree(child);
    },
  };
}

/** Parses `<hash> <type> <size>`, a line break, the bytes, a line break; or a line that ends in `missing`. */
async function readAnswer(
  reader: ReturnType<typeof createReader>,
  path: string,
  maxBytes: number,
): Promise<Buffer | null> {
  const header = await reader.line();
  const match = /^[0-9a-f]+ (\w+) (\d+)$/.exec(header);
  if (match === null) return null;
  const size = Number(match[2]);
  const isFile = match[1] === "blob";
  const bytes = await reader.bytes(size + 1, isFile && size <= maxBytes);
  if (isFile && size > maxBytes) throw tooLong(path, maxBytes);
  return isFile ? bytes.subarray(0, size) : null;
}

/** Reads lines and byte ranges from the output of the process. */
function createReader(child: GitProcess) {
  const chunks = child.stdout[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  // When the process cannot be started its output ends at once, which is reported below.
  child.on("error", () => {});
  const more = async (): Promise<Buffer> => {
    const next: IteratorResult<Buffer> = await chunks.next();
    if (next.done === true) throw unreadable("/target", "The repository could not be read in time.");
    return next.value;
  };
  return {
    async line(): Promise<string> {
      for (;;) {
        const end = rest.indexOf(10);
        if (end !== -1) {
          const line = rest.subarray(0, end).toString("utf8");
          rest = rest.subarray(end + 1);
          return line;
        }
        rest = Buffer.concat([rest, await more()]);
      }
    },
    /** Unwanted bytes are discarded as they arrive. */
    async bytes(size: number, wanted: boolean): Promise<Buffer> {
      const parts: Buffer[] = [];
      let left = size;
      while (left > 0) {
        if (rest.length === 0) rest = await more();
        const part = rest.subarray(0, left);
        if (wanted) parts.push(part);
        left -= part.length;
        rest = rest.subarray(part.length);
      }
      return Buffer.concat(parts);
    },
  };
}
