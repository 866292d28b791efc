/** Compiled policies of one thread. */
import * as cel from "./cel.ts";
import type { EngineInput, EngineOutcome } from "./engine.ts";
import type { LocalPolicy, LocalSpec } from "./jobs.ts";
import { compileSchema, evaluateSchema } from "./json-schema.ts";

export type Evaluate = (input: EngineInput) => EngineOutcome;

const maxCompiled = 5_000;

/** Answers how a policy is evaluated; each version of a policy is compiled once. */
export function createEvaluators(): (policy: LocalPolicy) => Evaluate {
  /** By key: id and version of a policy. */
  const compiled = new Map<string, Evaluate>();
  return ({ key, kind, spec }) => {
    const known = compiled.get(key);
    if (known !== undefined) return known;
    if (compiled.size >= maxCompiled) compiled.clear();
    const made = compile(kind, spec);
    compiled.set(key, made);
    return made;
  };
}

function compile(kind: LocalPolicy["kind"], spec: LocalSpec): Evaluate {
  try {
    if (spec.engine === "json-schema") {
      const validate = compileSchema(spec.schema);
      return (input) => evaluateSchema(validate, input);
    }
    const expression = cel.compile(spec.assert);
    if (kind === "metric") return (input) => cel.evaluateMetric(expression, input);
    return (input) => cel.evaluateAssertion(expression, input, spec.message);
  } catch (error) {
    const message = `It can't be compiled: ${(error as Error).message.split("\n")[0]}.`;
    return () => ({ ok: false, reason: "broken", message });
  }
}
