/**
 * How far do several coordinators carry, each with a database of its own? A simulation, not a measurement: every
 * database is a queue that settles so many tasks a second (measure that with bench/plan-execution.ts and pass it),
 * tasks arrive at random, and each belongs to a domain; domains are of very different sizes.
 *
 *   node bench/partitions.ts [--per-database 1000] [--load 1500] [--domains 60] [--seed 1]
 */
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    "per-database": { type: "string", default: "1000" },
    load: { type: "string", default: "1500" },
    domains: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
  },
});
const perDatabase = Number(values["per-database"]);
const load = Number(values.load);
const domainCount = Number(values.domains);
if (![perDatabase, load, domainCount].every((n) => n > 0)) throw new Error("every figure must be above 0");

const simulatedSeconds = 120;
const random = seeded(Number(values.seed));

/** The n-th largest domain has 1/n of the work of the largest. */
const weights = Array.from({ length: domainCount }, (_, n) => 1 / (n + 1));
const whole = weights.reduce((sum, weight) => sum + weight, 0);

/** Three environments have fixed shares: most work is done in development. */
const environments = [0.6, 0.25, 0.15];

interface Partition {
  name: string;
  /** For each coordinator its share of the load. */
  shares: number[];
}

const byEnvironment: Partition = { name: "by environment", shares: environments };

/** The largest first, each to the coordinator that has least: what an operator would do with a list. */
function byDomain(coordinators: number): Partition {
  const shares = Array.from({ length: coordinators }, () => 0);
  for (const weight of weights) {
    const least = shares.indexOf(Math.min(...shares));
    shares[least] = (shares[least] ?? 0) + weight / whole;
  }
  return { name: "by domain", shares };
}

const partitions = [
  { name: "one database", shares: [1] },
  byEnvironment,
  ...[2, 3, 4, 8].map((count) => byDomain(count)),
];
console.log(`${load} tasks/s wanted, ${perDatabase} tasks/s per database, ${domainCount} domains, simulated`);
const rows = partitions.map(simulate);
const floor = rows[0]?.done ?? 1;
console.table(
  rows.map(({ name, coordinators, busiest, done, p50, p99 }) => ({
    partition: name,
    coordinators,
    "busiest has": `${Math.round(busiest * 100)} %`,
    "tasks/s done": Math.round(done),
    "x one database": (done / floor).toFixed(2),
    "wait p50 ms": Math.round(p50),
    "wait p99 ms": Math.round(p99),
  })),
);

function simulate({ name, shares }: Partition) {
  const waits: number[] = [];
  let done = 0;
  for (const share of shares) {
    // One queue after another: they share nothing, which is the point.
    let freeAt = 0;
    for (let at = gap(share * load); at < simulatedSeconds; at += gap(share * load)) {
      const begin = Math.max(at, freeAt);
      freeAt = begin + 1 / perDatabase;
      if (freeAt <= simulatedSeconds) done++;
      waits.push((begin - at) * 1_000);
    }
  }
  waits.sort((a, b) => a - b);
  return {
    name,
    coordinators: shares.length,
    /** Its load beside what its database can do. */
    busiest: (Math.max(...shares) * load) / perDatabase,
    done: done / simulatedSeconds,
    p50: waits[Math.floor(waits.length / 2)] ?? 0,
    p99: waits[Math.floor(waits.length * 0.99)] ?? 0,
  };
}

/** The pause until the next of tasks that arrive at random. */
function gap(perSecond: number): number {
  return -Math.log(1 - random()) / perSecond;
}

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
