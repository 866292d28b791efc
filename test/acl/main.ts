/**
 * The migration of access to consumable parts, on generated units: who reaches which consumable leaf is the same before
 * and after.
 *
 *   node test/acl/main.ts [--trees 10000] [--seed N]
 *
 * Starts a PostgreSQL of its own. Prints the seed, the counts and the failures.
 */
import { parseArgs } from "node:util";
import { openDatabase, type Database } from "../../src/platform/db/database.ts";
import { migrate } from "../../src/platform/db/migrations/migrate.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { seededRandom } from "../crash/random.ts";
import { withOwnPostgres } from "../support/own-postgres.ts";
import { faults, migrateToBefore, readMigrated, storeTrees } from "./migrated.ts";
import { drawTree, reached } from "./trees.ts";

const { values } = parseArgs({
  options: { trees: { type: "string", default: "10000" }, seed: { type: "string" } },
});
const count = Number(values.trees);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const shownFailures = 20;
const atATime = 500;

console.log(`${count} trees, seed ${seed}`);
await withOwnPostgres(
  "acl",
  async (connection) => {
    const database = openDatabase({ connection, log: silentLogger });
    try {
      await run(database);
    } finally {
      await database.close();
    }
  },
  { fsync: "off", synchronous_commit: "off" },
);

async function run(database: Database): Promise<void> {
  const random = seededRandom(seed);
  const trees = Array.from({ length: count }, (_, number) =>
    drawTree((max) => Math.floor(random() * (max + 1)), number),
  );
  await migrateToBefore(database);
  for (let from = 0; from < count; from += atATime)
    await storeTrees(database.pool, trees.slice(from, from + atATime));
  const began = performance.now();
  await migrate(database);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const migrated = await readMigrated(database.pool);
  let failures = 0;
  for (const tree of trees) {
    const found = faults(tree, migrated);
    if (found.length === 0) continue;
    failures += 1;
    if (failures <= shownFailures) console.log(`${tree.unitId}: ${found.join("; ")}`);
  }
  const total = (rows: Map<string, unknown[]>): number => [...rows.values()].flat().length;
  const pairs = trees.reduce((sum, tree) => sum + reached(tree, tree.grants).length, 0);
  console.log(`  grants before: ${total(migrated.before)}, after: ${total(migrated.acls)}`);
  console.log(`  unresolved: ${total(migrated.unresolved)}`);
  console.log(`  pairs of an identity and a consumable leaf: ${pairs}`);
  console.log(`${count} trees, ${failures} failures, migrated in ${seconds} s`);
  process.exitCode = failures === 0 ? 0 : 1;
}
