/**
 * Leads outside clients through a question, a tool call, an approval that is given and one that is refused, a stop and an
 * error, against a server process with a database of its own. Ends with 1 when one of them failed or waited without a word.
 *
 *   node test/clients/main.ts [--only <part of a client's name>]
 */
import { parseArgs } from "node:util";
import { stepNames } from "./client-kind.ts";
import { clientKinds, runStep, tableOf, type Outcome } from "./run.ts";
import { openWorld } from "./world.ts";

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const chosen = clientKinds.filter(({ name }) => name.includes(values.only));
const world = await openWorld();
const outcomes: Outcome[] = [];
try {
  for (const kind of chosen) for (const step of stepNames) outcomes.push(await runStep(world, kind, step));
} finally {
  await world.close();
}
console.log(tableOf(outcomes));
const failed = outcomes.filter(({ result }) => result === "failed");
for (const { client, step, why } of failed) console.log(`${client}, ${step}: ${why}`);
console.log(`${chosen.length} clients, ${outcomes.length} steps, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
