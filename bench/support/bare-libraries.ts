/** The libraries that policy engines stand on or stand beside, in one loop of one thread without limits. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { Environment } from "@marcbachmann/cel-js";
import type { EngineInput } from "../../src/governance/engines/engine.ts";
import type { LocalSpec } from "../../src/governance/engines/jobs.ts";
import { median } from "./fixtures.ts";

export interface LibraryWork {
  inputs: readonly EngineInput[];
  specs: readonly LocalSpec[];
  rounds: number;
}

/** Median CPU of a round in ms; the first one, which compiles, does not count. */
export function timeBareLibrary({ inputs, specs, rounds }: LibraryWork): number {
  const compiled = specs.map(compile);
  const took: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const from = process.cpuUsage();
    for (const input of inputs) for (const evaluate of compiled) evaluate(input);
    const { user, system } = process.cpuUsage(from);
    took.push((user + system) / 1_000);
  }
  return median(took.slice(1));
}

const environment = new Environment({ homogeneousAggregateLiterals: false, unlistedVariablesAreDyn: true });

function compile(spec: LocalSpec): (input: EngineInput) => unknown {
  if (spec.engine === "json-schema") {
    const validate = new Ajv2020({ allErrors: true, strict: false }).compile(spec.schema as object);
    return ({ resource }) => validate(resource);
  }
  const evaluate = environment.parse(spec.assert);
  return ({ resource }) => evaluate({ resource }) as unknown;
}
