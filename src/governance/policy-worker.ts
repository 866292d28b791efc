/**
 * Entry of the threads that policies are evaluated in: expressions and schemas of others, which may take long or much
 * memory. Each evaluation is a step of its job.
 */
import { setPriority } from "node:os";
import * as cel from "./engines/cel.ts";
import type { EngineOutcome } from "./engines/engine.ts";
import { createEvaluators, type Evaluate } from "./engines/evaluators.ts";
import type { EngineJobs } from "./engines/jobs.ts";
import { checkSchema } from "./engines/json-schema.ts";
import { outcomesWithin, shownText } from "./engines/limits.ts";
import { serveJobs } from "../platform/worker-pool/serve-jobs.ts";

// Linux has a priority per thread: request handling goes before policies.
if (process.platform === "linux") setPriority(0, 5);

const evaluatorOf = createEvaluators();

serveJobs<EngineJobs>(
  Promise.resolve({
    evaluate: {
      run({ inputs, policies, policyOf, inputOf }, atStep) {
        const evaluators: (Evaluate | undefined)[] = policies.map(() => undefined);
        // What a batch answers is copied to the main thread as a whole.
        const within = outcomesWithin();
        return policyOf.map((policy, step) => {
          atStep(step);
          const outcome = answerOf(() => {
            // Within the step, since compiling may take long too.
            const evaluate = (evaluators[policy] ??= evaluatorOf(policies[policy]!));
            return evaluate(inputs[inputOf[step]!]!);
          });
          return within(outcome.ok ? outcome : shortened(outcome));
        });
      },
    },
    select: {
      run({ expression, inputs }, atStep) {
        let selection: cel.Compiled | undefined;
        const within = outcomesWithin();
        return inputs.map((input, step) => {
          atStep(step);
          const answer = answerOf(() =>
            cel.evaluateSelection((selection ??= cel.compile(expression)), input),
          );
          return typeof answer === "boolean" ? answer : (within(shortened(answer)) as NoAnswer);
        });
      },
    },
    check: {
      run: ({ schema }) => checkSchema(schema),
    },
  }),
);

type NoAnswer = EngineOutcome & { ok: false };

/** What throws breaks its own step only: others of the batch are about other policies and resources. */
function answerOf<T>(work: () => T): T | NoAnswer {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it threw";
    return { ok: false, reason: "broken", message: `The evaluation failed: ${reason}.` };
  }
}

const shortened = (outcome: NoAnswer): NoAnswer => ({ ...outcome, message: shownText(outcome.message) });
