/**
 * Builds the console into console/dist/ when it is missing or older than its sources, which takes seconds:
 * `node scripts/console.ts`. What `npm start` and `npm run demo -- --keep` begin with; `npm run build:console` builds in any case.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = join(root, "console");
const stamp = join(folder, "dist/.sources");

const sources = hashOfSources();
if (isCurrent()) process.exit(0);
console.error("Building the web console (once for these sources) …");
const vite = join(root, "node_modules/vite/bin/vite.js");
const { status } = spawnSync(process.execPath, [vite, "build", "--logLevel", "warn"], {
  cwd: folder,
  stdio: ["ignore", process.stderr.fd, "inherit"],
});
// The server works without its console, and says at `/` how it is built.
if (status === 0) writeFileSync(stamp, sources);
else console.error("The console could not be built; the server starts without it.");

function isCurrent(): boolean {
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
    .filter((file) => !/^console\/(?:dist|node_modules)\//.test(file))
    .toSorted();
}
