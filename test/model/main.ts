/**
 * Sequences of commands against the coordinator and the reference machine.
 *
 *   node test/model/main.ts [--sequences 500] [--commands 50] [--seed N]
 *
 * Each sequence has a seed of its own, counted up from the first; `--sequences 1 --seed N` runs one again. A sequence
 * that diverges is made shorter and printed.
 */
import { parseArgs } from "node:util";
import type { Connection } from "../../src/platform/db/database.ts";
import { openMigrated, withOwnPostgres } from "../support/own-postgres.ts";
import { drawSequence } from "./commands.ts";
import { shrink, tryOut } from "./shrink.ts";
import { openSystem } from "./system.ts";

const { values } = parseArgs({
  options: {
    sequences: { type: "string", default: "500" },
    commands: { type: "string", default: "50" },
    seed: { type: "string" },
  },
});
const sequences = Number(values.sequences);
const length = Number(values.commands);
const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const maxDivergences = 5;

console.log(`${sequences} sequences of ${length} commands, seeds from ${first}`);
const settings = { fsync: "off", synchronous_commit: "off", max_connections: "200" };
await withOwnPostgres("model", run, settings);

async function run(connection: Connection): Promise<void> {
  const system = await openSystem(await openMigrated(connection));
  const began = performance.now();
  let divergences = 0;
  for (let seed = first; seed < first + sequences && divergences < maxDivergences; seed++) {
    const commands = drawSequence(seed, length);
    const message = await tryOut(system, commands);
    const done = seed - first + 1;
    if (done % 50 === 0) console.log(`${done} sequences, ${divergences} divergences so far`);
    if (message === null) continue;
    divergences++;
    console.log(`seed ${seed}: ${message}`);
    const shrunk = await shrink(system, { commands, message });
    console.log(`shorter: ${shrunk.message}`);
    for (const command of shrunk.commands) console.log(`  ${JSON.stringify(command)}`);
  }
  for (const [asked, count] of [...system.covered].toSorted((one, other) => other[1] - one[1]))
    if (!asked.includes("urn:")) console.log(`  ${asked}: ${count}`);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${sequences} sequences, ${divergences} divergences, ${seconds} s`);
  process.exitCode = divergences === 0 ? 0 : 1;
  await system.close();
}
