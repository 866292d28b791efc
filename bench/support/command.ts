/**
 * The command line that benches share: their sizes, `--quick` for small ones, `--alone` to measure our side without what
 * it is compared with, and `--json` for the lines that `npm run bench:compare` reads.
 */
import { parseArgs } from "node:util";

/** What our side of a bench needs for a unit of its work. */
export interface BenchResult {
  name: string;
  /** Such as "task". */
  unit: string;
  /** Of the process that runs our code; says the same on a machine where others work too. */
  cpuMsPerUnit: number;
  perSecond: number;
}

export interface BenchCommand<Size extends string> {
  sizes: Record<Size, number>;
  isAlone: boolean;
  /** Prints the result as a line of JSON, when that is asked for. */
  report: (result: BenchResult) => void;
}

/** Each size is an option of its name, with its default and its default in a quick run. */
export function benchCommand<Size extends string>(
  defaults: Record<Size, { usual: number; quick: number }>,
): BenchCommand<Size> {
  const names = Object.keys(defaults) as Size[];
  const flag = { type: "boolean" as const, default: false };
  const numbers = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  const { values } = parseArgs({ options: { json: flag, quick: flag, alone: flag, ...numbers } });
  const given = values as Record<string, unknown>;
  const sizeOf = (name: Size): number =>
    Number(given[name] ?? (values.quick ? defaults[name].quick : defaults[name].usual));
  return {
    sizes: Object.fromEntries(names.map((name) => [name, sizeOf(name)])) as Record<Size, number>,
    isAlone: values.alone,
    report: (result) => {
      if (values.json) console.log(JSON.stringify(result));
    },
  };
}

/** The results among the lines that a bench has printed. */
export const resultsIn = (output: string): BenchResult[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith('{"name":'))
    .map((line) => JSON.parse(line) as BenchResult);
