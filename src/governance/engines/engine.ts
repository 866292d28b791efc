/** What evaluates policies and metrics: one interface over all engines. Inputs and specs are JSON values. */

export type EngineSpec =
  | { engine: "cel"; assert: string; message?: string }
  | { engine: "json-schema"; schema: unknown }
  | { engine: "remote"; url: string; timeoutMs?: number }
  | { engine: "cue"; script: string }
  | { engine: "model"; agentId: string; prompt: string };

/** What one evaluation sees; parsed descriptors. */
export interface EngineInput {
  resource: unknown;
  original?: unknown;
  current?: unknown;
  unit?: unknown;
  environment: string;
  resourceType: string;
  resourceId: string;
}

export interface EngineJob {
  /** Policy and version; compiled specs are kept by it. */
  key: string;
  kind: "policy" | "metric";
  spec: EngineSpec;
  /** Index of its input. */
  input: number;
  /** The same for each repetition of the job. */
  id: string;
}

export interface Violation {
  /** Where it is in the resource. */
  path?: string;
  message: string;
}

export type EngineOutcome =
  | { ok: true; satisfied?: boolean; value?: number; errors: readonly Violation[]; details?: unknown }
  | { ok: false; reason: "broken" | "timeout" | "limit" | "unreachable"; message: string };

/** Of every policy that a resource fits: one object, which is copied once with all answers of a batch. */
export const fits: EngineOutcome & { ok: true } = { ok: true, satisfied: true, errors: [] };

export interface SpecProblem {
  /** For example `spec.assert`. */
  path: string;
  message: string;
  line?: number;
  column?: number;
  solution: string;
}

/** What the engine of a policy sees besides the resource, its type, its id and its environment. */
export interface Sight {
  /** The unit that it belongs to. */
  seesUnit: boolean;
  /** What is deployed, and what is to be. */
  compares: boolean;
}

export const sightOf = ({ context, strategy }: { context: string; strategy: string }): Sight => ({
  seesUnit: context === "global",
  compares: strategy === "previous_vs_current",
});

interface CheckedSpec {
  kind: "policy" | "metric";
  spec: EngineSpec;
  sight: Sight;
}

export interface PolicyEngines {
  check(policy: CheckedSpec): Promise<SpecProblem[]>;
  checkSelect(expression: string): SpecProblem[];
  /**
   * Which inputs the expression picks; an outcome where it gives no answer for one. Once the signal is aborted, what has no
   * answer is a timeout.
   */
  select(
    expression: string,
    inputs: readonly EngineInput[],
    signal: AbortSignal,
  ): Promise<(boolean | (EngineOutcome & { ok: false }))[]>;
  /**
   * One outcome for each job, in order. Never rejects for what an expression or a remote engine does. Once the signal is
   * aborted, it answers at once: jobs without an answer are timeouts.
   */
  evaluate(
    inputs: readonly EngineInput[],
    jobs: readonly EngineJob[],
    signal: AbortSignal,
  ): Promise<EngineOutcome[]>;
  close(): Promise<void>;
}
