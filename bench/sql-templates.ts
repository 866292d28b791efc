/**
 * What does it cost a process to send a statement through Kysely's `sql` templates? CPU of this process for each query, of
 * a small statement and of one that is put together from nested fragments, as stores have them: through Kysely, through
 * a template of thirty lines over the driver, and as a ready text given to the driver, which is the floor. The three
 * take turns in rounds of one run; a ratio is the median of the rounds' ratios to the floor.
 *
 *   node bench/sql-templates.ts [--queries 500] [--rounds 41]
 */
import { parseArgs } from "node:util";
import { sql, type RawBuilder } from "kysely";
import type { Database } from "../src/platform/db/database.ts";
import { benchDatabase } from "./support/fixtures.ts";

const { values } = parseArgs({
  options: { queries: { type: "string", default: "500" }, rounds: { type: "string", default: "41" } },
});
const [queries, rounds] = [Number(values.queries), Number(values.rounds)];
/** Queries at a time. */
const width = 20;

class Fragment {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  constructor(strings: readonly string[], parts: readonly unknown[]) {
    this.strings = strings;
    this.values = parts;
  }
}

/** The least that could stand in for Kysely's: a template of texts, parameters and further templates. */
const own = (strings: TemplateStringsArray, ...parts: unknown[]): Fragment => new Fragment(strings, parts);

function write(fragment: Fragment, parameters: unknown[]): string {
  let text = fragment.strings[0] ?? "";
  for (const [index, value] of fragment.values.entries()) {
    text += value instanceof Fragment ? write(value, parameters) : `$${parameters.push(value)}`;
    text += fragment.strings[index + 1] ?? "";
  }
  return text;
}

interface Query {
  text: string;
  values: unknown[];
}

const textOf = (fragment: Fragment): Query => {
  const parameters: unknown[] = [];
  return { text: write(fragment, parameters), values: parameters };
};

/** One statement in the three ways; `n` makes its values others. */
interface Statement {
  kysely(n: number): RawBuilder<unknown>;
  own(n: number): Fragment;
  driver(n: number): Query;
}

const small: Statement = {
  kysely: (n) =>
    sql`select descriptor from units where unit_key = ${`unit ${n}`} and environment = ${"production"}`,
  own: (n) =>
    own`select descriptor from units where unit_key = ${`unit ${n}`} and environment = ${"production"}`,
  driver: (n) => ({
    text: "select descriptor from units where unit_key = $1 and environment = $2",
    values: [`unit ${n}`, "production"],
  }),
};

const nested: Statement = {
  kysely: (n) => {
    const at = sql`unit_key = ${`unit ${n}`} and environment = ${"production"}`;
    const active = sql`select plan_id from operations where ${at} and status in ('SCHEDULED', 'RUNNING')`;
    const waiting = sql`select plan_id from queued_starts where ${at} order by number`;
    const components = sql`select component_key, status, updated_at from unit_components where ${at}`;
    return sql`select array(${active}) as active, array(${waiting}) as waiting,
      (select coalesce(json_agg(c), '[]') from (${components}) c) as components,
      (select descriptor from units where ${at} and ${true}) as descriptor limit ${1}`;
  },
  own: (n) => {
    const at = own`unit_key = ${`unit ${n}`} and environment = ${"production"}`;
    const active = own`select plan_id from operations where ${at} and status in ('SCHEDULED', 'RUNNING')`;
    const waiting = own`select plan_id from queued_starts where ${at} order by number`;
    const components = own`select component_key, status, updated_at from unit_components where ${at}`;
    return own`select array(${active}) as active, array(${waiting}) as waiting,
      (select coalesce(json_agg(c), '[]') from (${components}) c) as components,
      (select descriptor from units where ${at} and ${true}) as descriptor limit ${1}`;
  },
  driver: (n) => {
    const at = [`unit ${n}`, "production"];
    return { text: nestedText, values: [...at, ...at, ...at, ...at, true, 1] };
  },
};

const nestedText = textOf(nested.own(0)).text;

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

async function measure({ kysely, pool }: Database, name: string, statement: Statement): Promise<void> {
  const send = ({ text, values: parameters }: Query): Promise<unknown> => pool.query(text, parameters);
  const ways: Record<string, (n: number) => unknown> = {
    driver: (n) => send(statement.driver(n)),
    "own template": (n) => send(textOf(statement.own(n))),
    Kysely: (n) => statement.kysely(n).execute(kysely),
    "own template, text alone": (n) => textOf(statement.own(n)),
    "Kysely, text alone": (n) => statement.kysely(n).compile(kysely),
  };
  const found = new Map(Object.keys(ways).map((way): [string, number[]] => [way, []]));
  for (const work of Object.values(ways)) await cpuOf(work);
  for (let round = 0; round < rounds; round++)
    for (const [way, work] of Object.entries(ways)) found.get(way)?.push(await cpuOf(work));
  const floor = found.get("driver") ?? [];
  for (const [way, all] of found) {
    const ratio = median(all.map((each, round) => each / (floor[round] ?? 1)));
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
