/**
 * Runs the long tests one after another and ends with a summary: `npm run test:nightly`. The first are the test cases of
 * `*.nightly.test.ts`. A name (or several) on the command line runs only those.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

const runs: Record<string, string[]> = {
  cases: ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.nightly.config.ts"],
  postgres: ["test/postgres/main.ts", "15", "16", "17", "18"],
  planner: ["test/properties/planner.ts", "--graphs", "200000"],
  acl: ["test/acl/main.ts", "--trees", "10000"],
  simulation: ["test/simulation/main.ts", "--seeds", "5000"],
  rolling: ["test/rolling/main.ts"],
  restore: ["test/restore/main.ts", "--rounds", "10"],
  keys: ["test/keys/main.ts", "--rounds", "5"],
  promotion: ["test/promotion/main.ts", "--rounds", "5"],
  soak: ["test/soak/main.ts", "--minutes", "60"],
  chart: ["test/chart/main.ts"],
  traces: ["test/traces/main.ts"],
  alerts: ["test/alerts/main.ts"],
  contract: ["test/contract/main.ts", "--requests", "20000"],
  adapters: ["test/adapters/main.ts", "--units", "50"],
  "python-kit": ["test/python-kit/main.ts"],
  "builder-limits": ["test/builder-limits/main.ts"],
  model: ["test/model/main.ts", "--sequences", "500", "--commands", "50"],
  shutdown: ["test/faults/shutdown/main.ts"],
  "start-faults": ["test/faults/start-faults/main.ts"],
  "start-faults-sources": ["test/faults/start-faults/main.ts", "--sources", "--sample", "60"],
  outbound: ["test/outbound/main.ts", "--urls", "10000", "--calls", "500"],
  faults: ["test/faults/random/main.ts", "--minutes", "30"],
  overload: ["test/overload/main.ts"],
  crash: ["test/crash/main.ts", "--kills", "1000", "--tasks", "10000", "--built"],
  governance: ["test/crash/main.ts", "--lane", "governance", "--kills", "200", "--built"],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(runs, name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. There are ${Object.keys(runs).join(", ")}.`);
  process.exit(2);
}

const summary: string[] = [];
for (const [name, args] of Object.entries(runs)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n== ${name}: node ${args.join(" ")}`);
  const from = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  const minutes = ((performance.now() - from) / 60_000).toFixed(1);
  summary.push(`${code === 0 ? "ok    " : "FAILED"} ${name} (${minutes} min)`);
  if (code !== 0) process.exitCode = 1;
}
console.log(`\n${summary.join("\n")}`);
