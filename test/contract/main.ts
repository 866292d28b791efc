/**
 * Generated requests to every operation of the published OpenAPI documents.
 *
 *   node test/contract/main.ts [--requests 20000] [--seed N] [--area builder|coordinator|assistant|governance|data-layer|auth]
 *
 * Prints which statuses each operation has answered, and every answer that is not as documented with its request.
 */
import { parseArgs } from "node:util";
import type { Connection } from "../../src/platform/db/database.ts";
import { openMigrated, withOwnPostgres } from "../support/own-postgres.ts";
import { runContract } from "./run.ts";
import { areas, isArea, openFixture } from "./fixture.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string" },
    area: { type: "string" },
  },
});
const requests = Number(values.requests);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
if (values.area !== undefined && !isArea(values.area)) {
  console.error(`--area must be one of: ${areas.join(", ")}`);
  process.exit(2);
}
const area = values.area;

console.log(`${requests} requests${area === undefined ? "" : ` to the ${area}`}, seed ${seed}`);
await withOwnPostgres("contract", run);

async function run(connection: Connection): Promise<void> {
  const fixture = await openFixture(await openMigrated(connection));
  const began = performance.now();
  const documents = fixture.documents.filter((_document, at) => area === undefined || areas[at] === area);
  const report = await runContract({ ...fixture, documents, url: fixture.server.url, requests, seed });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  for (const [id, statuses] of report.statuses) {
    const answers = [...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${status} ${count}x`);
    console.log(`  ${id.padEnd(28)} ${answers.join(", ")}`);
  }
  for (const breach of report.breaches) console.log(breach);
  const { fitting, unfitting } = report.judged;
  console.log(`of ${fitting} requests the document takes the input, of ${unfitting} it does not`);
  console.log(`${requests} requests, ${report.breaches.length} answers not as documented, ${seconds} s`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
  await fixture.server.close();
}
