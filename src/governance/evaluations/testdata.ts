/** Policies, resources and a small engine for tests: it runs functions that tests give it by a name. */
import type { EngineInput, EngineOutcome, PolicyEngines } from "../engines/engine.ts";
import type { EvaluatedPolicy } from "./policy.ts";

export const testPolicy = (more: Partial<EvaluatedPolicy> = {}): EvaluatedPolicy => ({
  id: "described",
  version: 3,
  kind: "policy",
  name: "Has a description",
  advice: "Describe it.",
  context: "local",
  resourceType: null,
  environments: [],
  select: null,
  spec: { engine: "cel", assert: "described" },
  strategy: "default",
  status: "enabled",
  graceUntil: null,
  onError: "warn",
  thresholds: [],
  ...more,
});

export const right: EngineOutcome = { ok: true, satisfied: true, errors: [] };
export const wrong = (message: string): EngineOutcome => ({
  ok: true,
  satisfied: false,
  errors: [{ message }],
});

/** Evaluates `assert` and `select` by the function of that name. */
export function testEngines(functions: Record<string, (input: EngineInput) => unknown>) {
  const batches: { inputs: number; jobs: number }[] = [];
  const call = (name: string, input: EngineInput): unknown => functions[name]?.(input);
  const engines: Pick<PolicyEngines, "evaluate" | "select"> = {
    select: async (expression, inputs) =>
      inputs.map((input) => call(expression, input) as boolean | (EngineOutcome & { ok: false })),
    async evaluate(inputs, jobs) {
      batches.push({ inputs: inputs.length, jobs: jobs.length });
      return jobs.map(({ spec, input }) => {
        const given = inputs[input];
        if (given === undefined || spec.engine !== "cel") throw new Error("The job has no input.");
        return call(spec.assert, given) as EngineOutcome;
      });
    },
  };
  return { engines, batches };
}

export const testUnit = {
  id: "urn:unit:fleet",
  name: "Fleet",
  kind: "dataproduct",
  components: [
    { id: "urn:unit:fleet:Port", name: "Port", kind: "outputport", description: "Positions" },
    { id: "urn:unit:fleet:job", name: "Job", kind: "workload" },
  ],
};
