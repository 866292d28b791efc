/**
 * Entry of the threads that policies are evaluated in: expressions and schemas of others, which may take long or much
 * memory. Each evaluation is a step of its job.
 */
import { setPriority } from "node:os";
import * as cel from "./engines/cel.ts";
import { createEvaluators, type Evaluate } from "./engines/evaluators.ts";
import type { EngineJobs } from "./engines/jobs.ts";
import { checkSchema } from "./engines/json-schema.ts";
import { serveJobs } from "../platform/worker-pool/serve-jobs.ts";

// Linux has a priority per thread: request handling goes before policies.
if (process.platform === "linux") setPriority(0, 5);

const evaluatorOf = createEvaluators();

serveJobs<EngineJobs>(
  Promise.resolve({
    evaluate: {
      run({ inputs, policies, policyOf, inputOf }, atStep) {
        const evaluators: (Evaluate | undefined)[] = policies.map(() => undefined);
        return policyOf.map((policy, step) => {
          atStep(step);
          // Within the step, since compiling may take long too.
          const evaluate = (evaluators[policy] ??= evaluatorOf(policies[policy]!));
          return evaluate(inputs[inputOf[step]!]!);
        });
      },
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
