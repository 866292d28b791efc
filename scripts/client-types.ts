/**
 * Writes the types of packages/client from the committed OpenAPI documents, or with --check says which of them are of
 * another document. The generator needs an older TypeScript, so it has a folder and a lock of its own and is installed when
 * something is written; the check compares hashes and needs nothing.
 *
 *   node scripts/client-types.ts [--check]
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
const generator = join(root, "packages/client/generator");
const names = ["assistant", "auth", "builder", "coordinator", "data-layer", "governance"] as const;
const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

for (const name of names) {
  const document = await readFile(join(root, "openapi", `${name}.json`), "utf8");
  const file = join(root, "packages/client/src/generated", `${name}.ts`);
  const head = headOf(name, document);
  const committed = await readFile(file, "utf8").catch(() => "");
  if (committed.startsWith(head)) continue;
  const shown = `packages/client/src/generated/${name}.ts`;
  if (values.check) {
    console.log(`Of another document: ${shown}. Run \`npm run docs\` and commit what it writes.`);
    process.exitCode = 1;
  } else {
    await writeFile(file, head + generate(name));
    console.log(`Written: ${shown}`);
  }
}

/** The first lines of a file of types; the hash says which document they were made of. */
function headOf(name: string, document: string): string {
  const hash = createHash("sha256").update(document).digest("hex");
  return `/** Generated from openapi/${name}.json (sha256 ${hash}) by scripts/client-types.ts; do not edit. */\n`;
}

function generate(name: string): string {
  const program = join(generator, "node_modules/openapi-typescript/bin/cli.js");
  if (!existsSync(program)) run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  // A field with a default may be left out by the caller; in answers it is required all the same.
  const options = ["--default-non-nullable", "false"];
  const text = run(process.execPath, [program, join(root, "openapi", `${name}.json`), ...options]);
  return text.replace(/^\/\*\*[\s\S]*?\*\/\s*/, "");
}

function run(command: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: generator,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
  return stdout;
}
