/** What this process counts of instantiations and of their steps. */
import type { Instruments } from "../../../platform/telemetry/instruments.ts";
import type { TemplatePlan } from "../../templates/template.ts";
import type { StepRecord, TaskEnd } from "../task.ts";
import type { DurableJournal } from "./journal.ts";

export interface InstantiationMetrics {
  ended(end: Pick<TaskEnd, "status">): void;
  stepEnded(action: string, record: StepRecord): void;
}

const durations = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900];

export function createInstantiationMetrics(instruments: Instruments): InstantiationMetrics {
  const ends = instruments.counter({
    name: "plinth_instantiations_ended_total",
    help: "Instantiations of templates that this process has run to their end, by outcome.",
    labels: ["outcome"],
  });
  const steps = instruments.counter({
    name: "plinth_instantiation_steps_ended_total",
    help: "Steps of instantiations that have ended, by action and outcome: completed, skipped or failed.",
    labels: ["action", "outcome"],
  });
  const seconds = instruments.histogram({
    name: "plinth_instantiation_step_duration_seconds",
    help: "Time of a step of an instantiation, by action; steps that were skipped are not in it.",
    labels: ["action"],
    buckets: durations,
  });
  return {
    ended: ({ status }) => ends.add([status]),
    stepEnded(action, { status, startedAt, endedAt }) {
      steps.add([action, status]);
      if (status !== "skipped") seconds.observe((endedAt.getTime() - startedAt.getTime()) / 1_000, [action]);
    },
  };
}

/** The journal of a task with what is counted of its steps and its end. */
export const countedJournal = (
  journal: DurableJournal,
  {
    metrics,
    plan,
    actions,
  }: { metrics: InstantiationMetrics; plan: TemplatePlan; actions: ReadonlyMap<string, unknown> },
): DurableJournal => ({
  ...journal,
  async recordStep(record, ...more) {
    await journal.recordStep(record, ...more);
    // A template may name any action.
    const { action = "" } = plan.steps[record.step] ?? {};
    metrics.stepEnded(actions.has(action) ? action : "unknown", record);
  },
  async end(end) {
    await journal.end(end);
    metrics.ended(end);
  },
});
