/** The jobs of the threads that policies are evaluated in. */
import type { EngineInput, EngineOutcome, EngineSpec, SpecProblem } from "./engine.ts";

export type LocalSpec = Extract<EngineSpec, { engine: "cel" | "json-schema" }>;

export interface LocalJob {
  key: string;
  kind: "policy" | "metric";
  spec: LocalSpec;
  input: number;
}

// A type and not an interface, so that it has an index signature.
export type EngineJobs = {
  evaluate: { input: { inputs: EngineInput[]; jobs: LocalJob[] }; result: EngineOutcome[] };
  select: {
    input: { expression: string; inputs: EngineInput[] };
    result: (boolean | (EngineOutcome & { ok: false }))[];
  };
  check: { input: { spec: LocalSpec }; result: SpecProblem[] };
};
