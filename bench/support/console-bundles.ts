/** What a browser loads of console/dist: the first route, and each part that is loaded later. */
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

export interface BundleSizes {
  /** Bytes as sent. */
  first: { script: number; style: number };
  /** Each with all that it needs beyond the first route. */
  lazy: { name: string; bytes: number }[];
}

const folder = join(import.meta.dirname, "../../console/dist");
const assets = join(folder, "assets");
/** The page of `/`, which the first route loads besides what index.html names. */
const firstPage = /^home-page-.*\.js$/;

const staticImport = /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g;
const lazyImport = /import\(\s*["'`]\.\/([\w.-]+\.js)["'`]\s*\)/g;

interface Chunk {
  needs: string[];
  loads: string[];
}

export async function bundleSizes(): Promise<BundleSizes> {
  if (!existsSync(join(folder, "index.html")))
    throw new Error("npm run build:console makes console/dist first");
  const files = await readdir(assets);
  const chunks = new Map<string, Chunk>();
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    const text = await readFile(join(assets, file), "utf8");
    chunks.set(file, { needs: namesIn(text, staticImport), loads: namesIn(text, lazyImport) });
  }
  const html = await readFile(join(folder, "index.html"), "utf8");
  const named = [...html.matchAll(/assets\/([\w.-]+)"/g)].map(([, name = ""]) => name);
  const page = files.find((name) => firstPage.test(name));
  if (page === undefined) throw new Error("console/dist has no page for the first route");
  const first = closure([...named.filter((name) => name.endsWith(".js")), page], chunks);
  const styles = new Set(named.filter((name) => name.endsWith(".css")));
  const lazyRoots = new Set([...chunks.values()].flatMap(({ loads }) => loads));
  const lazy = await Promise.all(
    [...lazyRoots]
      .filter((name) => !first.has(name))
      .map(async (name) => {
        const own = [...closure([name], chunks)].filter((each) => !first.has(each));
        return { name: name.replace(/-[\w-]{8}\.js$/, ""), bytes: await sentBytes(own) };
      }),
  );
  const pageStyle = files.filter((name) => /^home-page-.*\.css$/.test(name));
  return {
    first: { script: await sentBytes(first), style: await sentBytes([...styles, ...pageStyle]) },
    lazy,
  };
}

const namesIn = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name)),
];

function closure(roots: Iterable<string>, chunks: ReadonlyMap<string, Chunk>): Set<string> {
  const reached = new Set<string>();
  const open = [...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    open.push(...(chunks.get(name)?.needs ?? []));
  }
  return reached;
}

/** The compressed file where there is one: the server sends that. */
async function sentBytes(names: Iterable<string>): Promise<number> {
  const sizes = [...names].map(async (name) => {
    const path = join(assets, name);
    return (await stat(existsSync(`${path}.br`) ? `${path}.br` : path)).size;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
