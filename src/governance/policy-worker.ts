/**
 * Entry of the threads that policies are evaluated in: expressions and schemas of others, which may take long or much
 * memory. Each evaluation is a step of its job.
 */
import { setPriority } from "node:os";
import * as cel from "./engines/cel.ts";
import { createEvaluators } from "./engines/evaluators.ts";
import type { EngineJobs } from "./engines/jobs.ts";
import { checkSchema } from "./engines/json-schema.ts";
import { serveJobs } from "../platform/worker-pool/serve-jobs.ts";

// Linux has a priority per thread: request handling goes before policies.
if (process.platform === "linux") setPriority(0, 5);

const evaluatorOf = createEvaluators();

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
        spec.engine === "cel" ? cel.checkSpec("policy", spec.assert) : checkSchema(spec.schema),
    },
  }),
);
