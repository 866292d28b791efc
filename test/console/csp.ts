/**
 * The strict policy on every page, 200 scripts that come in as data, and what pages of other servers try: `npm run test:console-csp`.
 * Ends with 1 when something is found. It begins with pages that do execute, load and embed, each of which has to be found; with
 * `--planted` these pages are what is checked, so that it ends with 1. `--injected`, `--cross-site` and `--fixation` choose, and paths
 * such as `/units` choose pages.
 */
import { crossSite } from "./csp/cross-site.ts";
import { fixation } from "./csp/fixation.ts";
import { injected } from "./csp/injected.ts";
import { plantedFaults, selfCheck } from "./csp/self-check.ts";

const given = process.argv.slice(2);
const paths = given.filter((each) => !each.startsWith("--"));
const chosen = given.filter((each) => each.startsWith("--"));
const usual = paths.length > 0 ? [injected] : [selfCheck, injected, crossSite, fixation];
const checks =
  chosen.length === 0 ? usual : [...usual, plantedFaults].filter(({ name }) => chosen.includes(`--${name}`));
const found: string[] = [];
for (const { name, run } of checks) {
  const since = performance.now();
  const { lines, findings } = await run(paths);
  for (const line of lines) console.log(line);
  console.log(`${name}: ${findings.length} findings, ${Math.round((performance.now() - since) / 1000)} s.`);
  found.push(...findings.map((each) => `${name}: ${each}`));
}
for (const each of found) console.error(each);
process.exitCode = found.length === 0 && checks.length > 0 ? 0 : 1;
