/** The engines with what is counted of their evaluations. */
import type { Instruments } from "../../platform/telemetry/instruments.ts";
import type { PolicyEngines } from "./engine.ts";

const durations = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60];

export function countEvaluations(engines: PolicyEngines, instruments: Instruments): PolicyEngines {
  const evaluations = instruments.counter({
    name: "plinth_policy_evaluations_total",
    help:
      "Evaluations of one policy or metric over one resource, by engine and outcome: satisfied, violated, value (of a metric), or why " +
      "there is none (broken, timeout, limit, unreachable).",
    labels: ["engine", "outcome"],
  });
  const seconds = instruments.histogram({
    name: "plinth_policy_evaluation_duration_seconds",
    help: "Time of a batch of evaluations: all policies of a plan, or a part of a report.",
    buckets: durations,
  });
  return {
    ...engines,
    async evaluate(inputs, jobs, signal) {
      const startedAt = performance.now();
      const outcomes = await engines.evaluate(inputs, jobs, signal);
      seconds.observe((performance.now() - startedAt) / 1_000);
      for (const [at, outcome] of outcomes.entries())
        evaluations.add([jobs[at]?.spec.engine ?? "", labelOf(outcome)]);
      return outcomes;
    },
  };
}

function labelOf(outcome: Awaited<ReturnType<PolicyEngines["evaluate"]>>[number]): string {
  if (!outcome.ok) return outcome.reason;
  if (outcome.satisfied === undefined) return "value";
  return outcome.satisfied ? "satisfied" : "violated";
}
