/**
 * Builds the console into console/dist/ when it is missing or older than its sources, which takes seconds:
 * `node scripts/console.ts`. What `npm start` and `npm run demo -- --keep` begin with; with `--always`, as `npm run build:console`
 * calls it, it builds in any case. The new build takes the place of the other one when it is complete: a server may start meanwhile.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = join(root, "console");
const dist = join(folder, "dist");
const isAlways = process.argv.includes("--always");

const sources = hashOfSources();
if (!isAlways && isCurrent()) process.exit(0);
console.error("Building the web console (once for these sources) …");
const vite = join(root, "node_modules/vite/bin/vite.js");
// Two that build at once do not disturb each other.
const built = join(folder, `.dist-new-${process.pid}`);
const replaced = join(folder, `.dist-old-${process.pid}`);
const { status } = spawnSync(process.execPath, [vite, "build", "--logLevel", "warn", "--outDir", built], {
  cwd: folder,
  stdio: ["ignore", process.stderr.fd, "inherit"],
});
if (status === 0) {
  writeFileSync(join(built, ".sources"), sources);
  putInPlace();
} else {
  // The server works without its console, and says at `/` how it is built.
  console.error("The console could not be built; the server starts without it.");
  if (isAlways) process.exitCode = 1;
}
for (const left of [built, replaced]) rmSync(left, { recursive: true, force: true });

function putInPlace(): void {
  try {
    if (existsSync(dist)) renameSync(dist, replaced);
    renameSync(built, dist);
  } catch (error) {
    // Another one has put its build there at the same moment.
    if (!isCurrent()) throw error;
  }
}

function isCurrent(): boolean {
  const stamp = join(dist, ".sources");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === sources;
}

/** Of everything that the build reads, its dependencies by the lock file. */
function hashOfSources(): string {
  const hash = createHash("sha256");
  for (const file of [...filesBelow("console"), ...filesBelow("packages/client/src"), "package-lock.json"])
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function filesBelow(path: string): string[] {
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !/^console\/(?:dist|\.dist-[^/]+|node_modules)\//.test(file))
    .toSorted();
}
