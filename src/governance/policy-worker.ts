/**
 * Entry of the threads that policies are evaluated in: expressions and schemas of others, which may take long or much
 * memory. Each evaluation is a step of its job.
 */
import { setPriority } from "node:os";
import * as cel from "./engines/cel.ts";
import type { EngineInput, EngineOutcome } from "./engines/engine.ts";
import type { EngineJobs, LocalJob, LocalSpec } from "./engines/jobs.ts";
import { checkSchema, compileSchema, evaluateSchema } from "./engines/json-schema.ts";
import { serveJobs } from "../platform/worker-pool/serve-jobs.ts";

// Linux has a priority per thread: request handling goes before policies.
if (process.platform === "linux") setPriority(0, 5);

type Evaluate = (input: EngineInput) => EngineOutcome;

/** By key: id and version of a policy. */
const compiled = new Map<string, Evaluate>();
const maxCompiled = 5_000;

function evaluatorOf({ key, kind, spec }: LocalJob): Evaluate {
  const known = compiled.get(key);
  if (known !== undefined) return known;
  if (compiled.size >= maxCompiled) compiled.clear();
  const made = compile(kind, spec);
  compiled.set(key, made);
  return made;
}

function compile(kind: LocalJob["kind"], spec: LocalSpec): Evaluate {
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

serveJobs<EngineJobs>(
  Promise.resolve({
    evaluate: {
      run: ({ inputs, jobs }, atStep) =>
        jobs.map((job, step) => {
          atStep(step);
          return evaluatorOf(job)(inputs[job.input]!);
        }),
    },
    select: {
      run({ expression, inputs }, atStep) {
        const selection = cel.compile(expression);
        return inputs.map((input, step) => {
          atStep(step);
          return cel.evaluateSelection(selection, input);
        });
      },
    },
    check: {
      run: ({ spec }) =>
        spec.engine === "cel" ? cel.checkExpression(spec.assert, "spec.assert") : checkSchema(spec.schema),
    },
  }),
);
