/**
 * What does it cost a process to send a statement through the `sql` templates of platform/db/sql.ts? CPU of this process
 * for each query, of a small statement and of one that is put together from nested fragments, as stores have them. The
 * baseline is the same text, ready made, given to the driver. Both take turns in rounds of one run; a ratio is the median
 * of the rounds' ratios to the baseline.
 *
 *   node bench/sql-templates.ts [--queries 500] [--rounds 41]
 */
import { parseArgs } from "node:util";
import type { Database } from "../src/platform/db/database.ts";
import { sql, type Sql } from "../src/platform/db/sql.ts";
import { benchDatabase } from "./support/fixtures.ts";

const { values } = parseArgs({
  options: { queries: { type: "string", default: "500" }, rounds: { type: "string", default: "41" } },
});
const [queries, rounds] = [Number(values.queries), Number(values.rounds)];
/** Queries at a time. */
const width = 20;

/** One statement, and the values that its text has; `n` makes them others. */
interface Statement {
  template(n: number): Sql;
  values(n: number): unknown[];
}

const small: Statement = {
  template: (n) =>
    sql`select descriptor from units where unit_key = ${`unit ${n}`} and environment = ${"production"}`,
  values: (n) => [`unit ${n}`, "production"],
};

const nested: Statement = {
  template: (n) => {
    const at = sql`unit_key = ${`unit ${n}`} and environment = ${"production"}`;
    const active = sql`select plan_id from operations where ${at} and status in ('SCHEDULED', 'RUNNING')`;
    const waiting = sql`select plan_id from queued_starts where ${at} order by number`;
    const components = sql`select component_key, status, updated_at from unit_components where ${at}`;
    return sql`select array(${active}) as active, array(${waiting}) as waiting,
      (select coalesce(json_agg(c), '[]') from (${components}) c) as components,
      (select descriptor from units where ${at} and ${true}) as descriptor limit ${1}`;
  },
  values: (n) => {
    const at = [`unit ${n}`, "production"];
    return [...at, ...at, ...at, ...at, true, 1];
  },
};

/** CPU of this process for one piece of work, in µs. */
async function cpuOf(work: (n: number) => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < queries; n += width)
    await Promise.all(Array.from({ length: width }, (_none, index) => work(n + index)));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / queries;
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

async function measure({ db, pool }: Database, name: string, statement: Statement): Promise<void> {
  const { text } = statement.template(0).compile();
  const ways: Record<string, (n: number) => unknown> = {
    driver: (n) => pool.query(text, statement.values(n)),
    template: (n) => statement.template(n).execute(db),
    "template, text alone": (n) => statement.template(n).compile(),
  };
  const found = new Map(Object.keys(ways).map((way): [string, number[]] => [way, []]));
  for (const work of Object.values(ways)) await cpuOf(work);
  for (let round = 0; round < rounds; round++)
    for (const [way, work] of Object.entries(ways)) found.get(way)?.push(await cpuOf(work));
  const baseline = found.get("driver") ?? [];
  for (const [way, all] of found) {
    const ratio = median(all.map((each, round) => each / (baseline[round] ?? 1)));
    console.log(`${name}, ${way}: ${median(all).toFixed(1)} µs, ratio ${ratio.toFixed(2)}`);
  }
}

const db = await benchDatabase();
try {
  console.log(`CPU for a query, median of ${rounds} rounds of ${queries}; the ratio is to the driver`);
  await measure(db.database, "small statement", small);
  await measure(db.database, "nested statement", nested);
} finally {
  await db.close();
}
