/** The jobs of the threads that policies are evaluated in. */
import type { EngineInput, EngineOutcome, EngineSpec, SpecProblem } from "./engine.ts";

export type LocalSpec = Extract<EngineSpec, { engine: "cel" | "json-schema" }>;

export interface LocalPolicy {
  /** Policy and version. */
  key: string;
  kind: "policy" | "metric";
  spec: LocalSpec;
}

export interface LocalJob extends LocalPolicy {
  input: number;
}

/**
 * Jobs as they are sent to a thread: each policy and each input stands in it once, and a job is a place in both lists. Of
 * hundreds of jobs with fields of their own, copying takes longer than evaluating.
 */
export interface JobBatch {
  inputs: EngineInput[];
  policies: LocalPolicy[];
  /** The policy and the input of each job. */
  policyOf: number[];
  inputOf: number[];
}

// A type and not an interface, so that it has an index signature.
export type EngineJobs = {
  evaluate: { input: JobBatch; result: EngineOutcome[] };
  select: {
    input: { expression: string; inputs: EngineInput[] };
    result: (boolean | (EngineOutcome & { ok: false }))[];
  };
  /** Of a JSON Schema: its patterns have no limit of time. */
  check: { input: { schema: unknown }; result: SpecProblem[] };
};
