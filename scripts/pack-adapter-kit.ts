/**
 * Packs the adapter kit for adapters that live elsewhere: `npm run pack:adapter-kit [-- <folder>]` writes a tarball of
 * the package `plinth` cut down to `plinth/adapter-kit`, as JavaScript with types and with the kit's few dependencies.
 * `npm install <tarball>` in the adapter's project then gives the same import as in this repository.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = resolve(process.argv[2] ?? ".");
const needed = ["fastify", "jose", "js-yaml"];

const { version, license, engines, dependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as { version: string; license: string; engines: object; dependencies: Record<string, string> };

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

const folder = mkdtempSync(join(tmpdir(), "plinth-kit-"));
try {
  const entry = join(root, "src/adapters/kit/adapter-kit.ts");
  const compiler = [
    "--ignoreConfig",
    "--target",
    "es2024",
    "--module",
    "nodenext",
    "--strict",
    "--skipLibCheck",
  ];
  const output = ["--declaration", "--rewriteRelativeImportExtensions", "--rootDir", join(root, "src")];
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  run(
    process.execPath,
    [tsc, entry, ...compiler, ...output, ...types, "--outDir", join(folder, "lib")],
    root,
  );
  const manifest = {
    name: "plinth",
    version,
    description: "The adapter kit of Plinth: write tech adapters",
    license,
    type: "module",
    engines,
    exports: {
      "./adapter-kit": {
        types: "./lib/adapters/kit/adapter-kit.d.ts",
        default: "./lib/adapters/kit/adapter-kit.js",
      },
    },
    dependencies: Object.fromEntries(needed.map((name) => [name, dependencies[name]])),
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const name = run("npm", ["pack", "--silent", "--pack-destination", target], folder).trim();
  process.stdout.write(`${join(target, name)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
