/**
 * Queries of random shapes as three callers, over HTTP, against what a naive program computes from the same records; and
 * bombs, which have to be refused within 100 ms.
 *
 *   node test/data-layer/main.ts [--queries 10000] [--units 200] [--seed N]
 *
 * Starts a PostgreSQL and a server of its own. Prints the seed, the counts, the failures and the times; ends with 1 when an
 * answer differs, a row of another domain is seen, a mutation exists, or a bomb is served or refused late.
 */
import { isDeepStrictEqual, parseArgs } from "node:util";
import { openMigrated, withOwnPostgres } from "../support/own-postgres.ts";
import { startWholeServer, tokenOf, type WholeServer } from "../support/server.ts";
import { bombs } from "./bombs.ts";
import { drawQueries, type Drawn } from "./draw.ts";
import { answerOf, tables, visibleRows, type Reader } from "./model.ts";
import { canary, insertRecords, makeRecords, randomOf } from "./records.ts";

const { values } = parseArgs({
  options: {
    queries: { type: "string", default: "10000" },
    units: { type: "string", default: "200" },
    seed: { type: "string" },
  },
});
const queries = Number(values.queries);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
/** Queries of one shape, as three callers. */
const perShape = 30;
const bombGoalMs = 100;
const shownFailures = 5;

const readers: Reader[] = [
  { name: "viewer without domains", token: tokenOf("viewer"), domains: [] },
  {
    name: "developer of finance and fleet",
    token: "test-token-of-two-domains",
    domains: ["finance", "fleet"],
  },
  { name: "operator", token: tokenOf("operator"), domains: null },
];

interface Tally {
  compared: number;
  rows: number;
  failures: number;
}

console.log(`${queries} queries, seed ${seed}`);
const isFine = await withOwnPostgres(
  "graphql",
  async (connection) => {
    const server = await startWholeServer({
      db: await openMigrated(connection),
      workers: "off",
      configure(config) {
        config.auth.providers.service!["default"]!.tokens!.push({
          name: "two",
          secret: readers[1]!.token,
          roles: ["developer"],
          domains: ["domain:default/Finance", "fleet"],
        });
      },
    });
    try {
      const tally = await compareAll(server);
      console.log(`${tally.compared} answers compared, ${tally.rows} rows: ${tally.failures} differ`);
      const hasMutation = await findMutation(server);
      console.log(`mutation types: ${hasMutation ? "there are some" : "none"}`);
      const late = await throwBombs(server);
      return tally.failures === 0 && tally.compared >= queries && !hasMutation && late === 0;
    } finally {
      await server.close();
    }
  },
  { fsync: "off", synchronous_commit: "off" },
);
process.exitCode = isFine ? 0 : 1;

async function compareAll(server: WholeServer): Promise<Tally> {
  const random = randomOf(seed);
  const records = makeRecords(Number(values.units), seed);
  await insertRecords(server.db.database.db, records);
  const seen = readers.map((reader) => visibleRows(records, reader));
  const everything = seen[2]!;
  const tally: Tally = { compared: 0, rows: 0, failures: 0 };
  const check = async (drawn: Drawn, at: number): Promise<void> => {
    const reader = readers[at]!;
    const answer = await server.graphql(drawn.text, {
      variables: drawn.variables,
      as: null,
      headers: { authorization: `Bearer ${reader.token}` },
    });
    const expected = { data: { [tables[drawn.selection.table].list]: answerOf(drawn.selection, seen[at]!) } };
    tally.compared += 1;
    tally.rows += answer.text.split("{").length;
    if (isDeepStrictEqual(answer.body, expected) && !answer.text.includes(canary)) return;
    tally.failures += 1;
    if (tally.failures > shownFailures) return;
    const shown = JSON.stringify(expected).slice(0, 2_000);
    console.log(`${reader.name}: ${drawn.text}\n  ${JSON.stringify(drawn.variables)}`);
    console.log(`  answered ${answer.text.slice(0, 2_000)}\n  expected ${shown}`);
  };
  while (tally.compared < queries) {
    const drawn = drawQueries(random, everything, perShape / readers.length);
    for (const each of drawn) await Promise.all(readers.map((_reader, at) => check(each, at)));
  }
  return tally;
}

async function findMutation(server: WholeServer): Promise<boolean> {
  const { body } = await server.graphql("{ __schema { mutationType { name } types { name } } }");
  const types: string[] = body.data.__schema.types.map(({ name }: { name: string }) => name);
  return (
    body.data.__schema.mutationType !== null ||
    types.some((name) => /^(Create|Update|Delete|Mutation)/.test(name))
  );
}

/** Each is sent thrice, and the quickest answer counts: the machine may be busy with others. */
async function throwBombs(server: WholeServer): Promise<number> {
  let late = 0;
  for (const { what, code, query, variables } of bombs) {
    let best = Infinity;
    let found = "";
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const began = performance.now();
      const answer = await server.graphql(query, variables === undefined ? {} : { variables });
      best = Math.min(best, performance.now() - began);
      found = `${answer.status} ${answer.body.errors?.[0]?.extensions.code}`;
    }
    const isRefused = found === `400 ${code}` && best < bombGoalMs;
    if (!isRefused) late += 1;
    console.log(`${isRefused ? "refused" : "FAILED "} ${what}: ${found} in ${best.toFixed(1)} ms`);
  }
  return late;
}
