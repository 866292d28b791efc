/**
 * The strict policy on every page, 200 scripts that come in as data, and what pages of other sites try: `npm run test:console-csp`. Ends
 * with 1 when something is found. With `--self-check` the server's pages are replaced by ones that execute, load and embed: each of those
 * has to be found, else nothing that this program says is worth anything.
 */
import { selfCheck } from "./csp/self-check.ts";
import { crossSite } from "./csp/cross-site.ts";
import { fixation } from "./csp/fixation.ts";
import { injected } from "./csp/injected.ts";

const chosen = process.argv.slice(2);
const checks = [selfCheck, injected, crossSite, fixation];
const wanted = checks.filter(({ name }) => chosen.length === 0 || chosen.includes(`--${name}`));
const found: string[] = [];
for (const check of wanted) {
  const since = performance.now();
  const { lines, findings } = await check.run(chosen.filter((each) => !each.startsWith("--")));
  for (const line of lines) console.log(line);
  console.log(`${check.name}: ${findings.length} findings, ${Math.round((performance.now() - since) / 1000)} s.`);
  found.push(...findings.map((each) => `${check.name}: ${each}`));
}
for (const each of found) console.error(each);
process.exitCode = found.length === 0 && wanted.length > 0 ? 0 : 1;
