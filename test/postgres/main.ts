/**
 * `npm run test:postgres [-- 15 16 17 18] [TEXT…]`: the tests of the database lane on a server of each version, all four unless
 * named; a text narrows the files. Ends with 1 when a test failed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installVersions } from "./versions.ts";

const root = join(import.meta.dirname, "../..");

const { positionals } = parseArgs({ allowPositionals: true });
const versions = installVersions();
const named = positionals.filter((text) => /^\d+$/.test(text));
const filters = positionals.filter((text) => !/^\d+$/.test(text));
const unknown = named.filter((version) => !versions.has(version));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}, only ${[...versions.keys()].join(", ")}.`);
  process.exit(2);
}

/** `npm run check:sql` asks for the types of prepared results, which 15 does not tell. It is a tool of ours and no part of the product. */
const leftOut: Record<string, string[]> = { 15: ["test/sql/**"] };

const summary: Tested[] = [];
for (const version of named.length > 0 ? named : versions.keys()) summary.push(await testOn(version));
for (const { line, isRight } of summary) {
  console.log(`${isRight ? "ok    " : "FAILED"} ${line}`);
  if (!isRight) process.exitCode = 1;
}

interface Tested {
  line: string;
  isRight: boolean;
}

/** Of Vitest's report. */
interface Counts {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  success: boolean;
}

async function testOn(version: string): Promise<Tested> {
  const programs = versions.get(version)!;
  const manifest = JSON.parse(await readFile(join(programs, "package.json"), "utf8")) as { version: string };
  console.log(`\n== PostgreSQL ${manifest.version}`);
  const folder = await mkdtemp(join(tmpdir(), "plinth-postgres-"));
  try {
    const report = join(folder, "tests.json");
    const from = performance.now();
    const code = await runTests(programs, report, leftOut[version] ?? []);
    const seconds = ((performance.now() - from) / 1_000).toFixed(0);
    const counts = JSON.parse(await readFile(report, "utf8")) as Counts;
    const line =
      `PostgreSQL ${manifest.version}: ${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ` +
      `${counts.numPendingTests} left out, ${seconds} s`;
    return { line, isRight: code === 0 && counts.success && counts.numPassedTests > 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** As `npm test` runs them. */
async function runTests(programs: string, report: string, without: string[]): Promise<number | null> {
  const vitest = ["--no-memory-protection-keys", "--wasm-wrapper-tiering-budget=2147483647"];
  const args = ["run", "--project", "database", "--reporter=default", "--reporter=json", ...filters];
  args.push(...without.map((pattern) => `--exclude=${pattern}`));
  const child = spawn(
    process.execPath,
    [...vitest, "node_modules/vitest/vitest.mjs", ...args, `--outputFile.json=${report}`],
    { cwd: root, stdio: "inherit", env: { ...process.env, PLINTH_TEST_POSTGRES: programs } },
  );
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}
