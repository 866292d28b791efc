/**
 * `npm run test:traces [-- --only <scenario>] [--keep]`: processes of the bundle with the official SDK of OpenTelemetry, a receiver process that
 * decodes what they send, and the traces that have to come of a deployment, a failure, a killed worker, a template and the assistant. Then the
 * same bundle with the SDK's second major version, and the sources. Ends with 1 when a trace is not as expected, a secret is in a span, or the
 * table of spans says something else.
 *
 * The SDKs are installed in folders of their own (deploy/opentelemetry, test/traces/sdk-2) when they are not there yet.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs, promisify } from "node:util";
import type { Connection } from "../../src/platform/db/database.ts";
import { bundle } from "../../scripts/bundle.ts";
import { sourceProgram } from "../crash/processes.ts";
import { withOwnPostgres } from "../support/own-postgres.ts";
import { differences } from "./check-table.ts";
import { scenarios } from "./scenarios.ts";
import { canaries, currentSdk, openStage, type Stage, type StageOptions } from "./stage.ts";

const root = join(import.meta.dirname, "../..");
const { values } = parseArgs({ options: { only: { type: "string" } } });
const failures: string[] = [];

for (const folder of [currentSdk, join(import.meta.dirname, "sdk-2")]) await install(folder);
const target = join(root, "node_modules/.cache/plinth/traces");
await bundle(target);
const program = relative(root, join(target, "plinth.js"));

await run("the bundle with the current SDK", { program, sdk: currentSdk }, async (stage) => {
  for (const [name, scenario] of Object.entries(scenarios))
    if (values.only === undefined || values.only === name) await attempt(name, () => scenario(stage));
  await stage.stop();
  const spans = await stage.spans();
  console.log(`  ${spans.length} spans`);
  await attempt("no secret is in a span", async () => {
    const text = JSON.stringify(spans, (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    for (const [what, canary] of Object.entries(canaries))
      if (text.includes(canary)) throw new Error(`${what} is in a span.`);
  });
  if (values.only !== undefined) return;
  await attempt("the table of spans", async () => {
    const found = differences(spans);
    if (found.length > 0) throw new Error(found.join("\n"));
  });
});

const older = { sdk: join(import.meta.dirname, "sdk-2") };
const json = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
if (values.only === undefined) {
  await run(
    "the bundle with the SDK's second major version, as JSON",
    { program, ...older, variables: json },
    async (stage) => {
      await attempt("deployment", () => scenarios.deployment(stage));
      await attempt("the type", async () => {
        const types = Object.keys(await stage.received());
        if (types.join() !== "application/json") throw new Error(`It got ${types.join()}.`);
      });
    },
  );
  await run("the sources with the current SDK", { program: sourceProgram, sdk: currentSdk }, (stage) =>
    attempt("deployment", () => scenarios.deployment(stage)),
  );
}

for (const failure of failures) console.log(failure);
console.log(`${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);

async function run(
  what: string,
  options: Omit<StageOptions, "connection">,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  console.log(what);
  await withOwnPostgres("traces", async (connection: Connection) => {
    const stage = await openStage({ connection, ...options });
    try {
      await work(stage);
    } finally {
      await stage.close();
    }
  });
}

async function attempt(name: string, work: () => Promise<void>): Promise<void> {
  const from = performance.now();
  try {
    await work();
    console.log(`  ok ${name} (${Math.round(performance.now() - from)} ms)`);
  } catch (error) {
    console.log(`  FAILED ${name}`);
    failures.push(`${name}: ${(error as Error).message}`);
  }
}

async function install(folder: string): Promise<void> {
  if (existsSync(join(folder, "node_modules"))) return;
  console.log(`npm ci in ${relative(root, folder)}`);
  await promisify(execFile)("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder });
}
