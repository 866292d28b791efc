/**
 * Does the console hold a plan of 1,000 tasks with 50 events a second, and how much does a browser load? Prints each figure beside its
 * limit, and ends with 1 when one is missed.
 *
 * - Scripts and styles of the first route and of each lazy one, compressed as the server sends them, from console/dist.
 * - The heading of the first route, from a cold cache.
 * - A plan of 1,000 tasks whose adapter brings 50 events a second: first row, first node, frames while panning by those of a blank
 *   page in the same run, and how long after an event the page shows it.
 * - The page's memory over some minutes of events, each time after a collection.
 *
 *   npm run build:console && node bench/console.ts [--minutes N]
 */
import { parseArgs } from "node:util";
import { openBrowser } from "../test/console/support/browser.ts";
import { startConsoleServer } from "../test/console/support/server.ts";
import { bundleSizes } from "./support/console-bundles.ts";
import { followedMemory, openGraph, openTable, panRatio, timeToHeading } from "./support/console-pages.ts";
import { eventRate, startLargePlan, startLongPlan } from "./support/console-plans.ts";
import { median } from "./support/fixtures.ts";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "1" } } });
const minutes = Number(values.minutes);
const tries = 5;
let missed = 0;

type Limit = readonly [bound: "at most" | "at least", limit: number, unit: "kB" | "s" | "ms" | ""];

/** One line: the figure, its limit, and whether it is met. */
function report(what: string, value: number, [bound, limit, unit]: Limit): void {
  const isMet = bound === "at least" ? value >= limit : value <= limit;
  if (!isMet) missed += 1;
  const places = unit === "" || unit === "s" ? 2 : 0;
  const figure = `${value.toFixed(places)} ${unit}`.trim();
  const goal = `${bound} ${limit} ${unit}`.trim();
  console.log(`${what.padEnd(52)} ${figure.padStart(10)}   ${goal.padEnd(18)} ${isMet ? "met" : "MISSED"}`);
}

const sizes = await bundleSizes();
report("first route, compressed script", sizes.first.script / 1000, ["at most", 180, "kB"]);
report("first route, compressed styles", sizes.first.style / 1000, ["at most", 40, "kB"]);
const [largest] = sizes.lazy.toSorted((a, b) => b.bytes - a.bytes);
report(`largest of ${sizes.lazy.length} lazy parts (${largest?.name})`, (largest?.bytes ?? 0) / 1000, [
  "at most",
  250,
  "kB",
]);

const server = await startConsoleServer({
  seeded: "adapters",
  configure({ coordinator: { execution } }) {
    Object.assign(execution, {
      parallelTasks: 64,
      parallelTasksPerAdapter: 8,
      pollInitialMs: 500,
      pollMaxMs: 500,
    });
  },
});
const browser = await openBrowser();
try {
  const headings: number[] = [];
  for (let n = 0; n < tries; n += 1) headings.push(await timeToHeading(browser, `${server.url}/`));
  report("heading from a cold cache, median of five", median(headings) / 1000, ["at most", 1.5, "s"]);

  const plan = await startLargePlan(server);
  console.log(`\nA plan of ${plan.tasks} tasks:`);
  const address = `${server.url}/plans/${plan.id}`;
  const stream = eventRate(server.url, plan.id);
  for (const [what, open] of [
    ["row", openTable],
    ["node", openGraph],
  ] as const) {
    const cold = await open(browser, address, true);
    console.log(`first ${what} from a cold cache: ${(cold.firstMs / 1000).toFixed(2)} s`);
    await cold.close();
  }
  const table = await openTable(browser, address);
  report("first row of the table, from the click", table.firstMs / 1000, ["at most", 1, "s"]);
  const graph = await openGraph(browser, address);
  report("first node of the graph, from the click", graph.firstMs / 1000, ["at most", 2, "s"]);
  const pan = await panRatio(browser, graph);
  console.log(`frames a second: blank page ${pan.blank.toFixed(0)}, panned graph ${pan.graph.toFixed(0)}`);
  report("frame rate while panning, by that of a blank page", pan.ratio, ["at least", 0.85, ""]);
  await graph.close();
  const lag = await table.lag();
  report("events a second while it was measured", await stream.stop(), ["at least", 45, ""]);
  console.log(
    `lag of ${lag.count} events: median ${lag.median.toFixed(0)} ms, longest ${lag.longest.toFixed(0)} ms`,
  );
  report("event lag, nineteen of twenty", lag.p95, ["at most", 250, "ms"]);
  await table.close();

  const long = await startLongPlan(server, minutes);
  const memory = await followedMemory(browser, `${server.url}/plans/${long}?tab=log`, minutes);
  console.log(`\nheap over ${minutes} min of events, MB: ${memory.map((mb) => mb.toFixed(1)).join(" ")}`);
  const half = Math.ceil(memory.length / 2);
  const growth = median(memory.slice(half)) / median(memory.slice(0, half));
  report("second half's median of the heap by the first's", growth, ["at most", 1.1, ""]);
} finally {
  await browser.close();
  await server.close();
}
console.log(missed === 0 ? "\nAll limits are met." : `\n${missed} missed.`);
process.exitCode = missed === 0 ? 0 : 1;
