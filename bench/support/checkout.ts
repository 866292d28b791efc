/**
 * Another commit of this repository in a temporary folder, ready to run benches: its packages are those of the working
 * tree when the lock files name the same ones, otherwise they are installed.
 *
 * A commit whose benches print no results (`command.ts`) gets those of the working tree, except for `engine-side.ts`, which knows
 * how the engine of its commit is driven. An import of a file that is somewhere else in that commit is directed to the file that
 * exports the same names.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);
const git = (...args: string[]): Promise<unknown> => run("git", ["-C", root, ...args]);

export interface Checkout {
  folder: string;
  /** How its benches got there, for people. */
  benches: string;
  close(): Promise<void>;
}

export async function openCheckout(ref: string): Promise<Checkout> {
  const parent = await mkdtemp(join(tmpdir(), "plinth-compare-"));
  const folder = join(parent, "checkout");
  const close = async (): Promise<void> => {
    await git("worktree", "remove", "--force", folder).catch(() => undefined);
    await rm(parent, { recursive: true, force: true });
  };
  try {
    await git("worktree", "add", "--detach", folder, ref);
    await addPackages(folder);
    return { folder, benches: await addBenches(folder), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function addPackages(folder: string): Promise<void> {
  const [own, theirs] = await Promise.all([root, folder].map(lockedPackages));
  if (own === theirs) await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  else await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder });
}

/** All but the entry of the project itself, which only repeats package.json. */
async function lockedPackages(folder: string): Promise<string> {
  const lock = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")) as {
    packages: Record<string, object>;
  };
  return JSON.stringify({ ...lock.packages, "": undefined });
}

async function addBenches(folder: string): Promise<string> {
  if (existsSync(join(folder, "bench/support/command.ts"))) return "its own benches";
  const bench = join(folder, "bench");
  const engineSide = join(bench, "support/engine-side.ts");
  const ownEngineSide = await readFile(engineSide, "utf8").catch(() => null);
  await rm(bench, { recursive: true });
  await cp(join(root, "bench"), bench, {
    recursive: true,
    filter: (from) => !from.endsWith("node_modules"),
  });
  if (ownEngineSide !== null) await writeFile(engineSide, ownEngineSide);
  const sources = await readAll(join(folder, "src"));
  for (const [file, text] of await readAll(bench))
    await writeFile(file, redirectImports(file, text, { folder, sources }));
  return "the benches of the working tree";
}

/** The text of each TypeScript file below a folder. */
async function readAll(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")] as const)));
}

const namedImport = /^import \{([^}]*)\} from "(\.[^"]+)";/gm;

interface Target {
  folder: string;
  sources: Map<string, string>;
}

function redirectImports(file: string, text: string, { folder, sources }: Target): string {
  return text.replaceAll(namedImport, (whole, list: string, specifier: string) => {
    const names = list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type "));
    const exportsAll = (source: string): boolean =>
      names.every((name) =>
        new RegExp(`^export (async )?(function|const|class) ${name}\\b`, "m").test(source),
      );
    const wanted = join(dirname(file), specifier);
    const isFine = names.length === 0 || exportsAll(sources.get(wanted) ?? "");
    if (isFine || !wanted.startsWith(join(folder, "src"))) return whole;
    // The same name of a file says more than the place; a bench that finds nothing says so when it is run.
    const found = [...sources].filter(([, source]) => exportsAll(source)).map(([path]) => path);
    const target = found.find((path) => basename(path) === basename(specifier)) ?? found[0];
    return target === undefined ? whole : whole.replace(specifier, relative(dirname(file), target));
  });
}
