/**
 * One build of the product for all programs that tests start: a start from it costs a quarter of one from the sources. It
 * is kept between runs for as long as the sources stay what they are, and beside `dist/`, which is the user's.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../vitest.config.ts";

const root = join(import.meta.dirname, "../..");
const builds = join(cacheFolder, "builds");
const longestUnusedMs = 24 * 60 * 60 * 1000;

/** Vitest calls it once for a project; the forks and what they start have the variable from this process. */
export async function setup(): Promise<void> {
  process.env["PLINTH_PROGRAM"] ??= join(await build(), "plinth.js");
}

async function build(): Promise<string> {
  const target = join(builds, await hashOfSources());
  if (existsSync(target)) {
    await utimes(target, new Date(), new Date());
    return target;
  }
  await mkdir(builds, { recursive: true });
  await removeOld();
  // Another run may build the same at this moment; whoever comes second uses what is there.
  const own = `${target}-${process.pid}`;
  const script = join(root, "scripts/build.ts");
  await promisify(execFile)(process.execPath, [script, "--target", own]);
  await rename(own, target).catch(() => rm(own, { recursive: true }));
  return target;
}

async function hashOfSources(): Promise<string> {
  const entries = await readdir(join(root, "src"), { recursive: true, withFileTypes: true });
  const sources = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name));
  const files = [join(root, "package-lock.json"), join(root, "scripts/bundle.ts"), ...sources].sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(builds)) {
    const { mtimeMs } = await stat(join(builds, name));
    if (mtimeMs < Date.now() - longestUnusedMs) await rm(join(builds, name), { recursive: true });
  }
}
