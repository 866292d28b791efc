/** Wire shapes of where a plan's time goes. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../../platform/http/schema.ts";

const ms = Type.Number({ minimum: 0 });
const optionalMs = Nullable(Type.Number({ minimum: 0, description: "Null without earlier tasks." }));
const time = Nullable(Type.String({ format: "date-time" }));

const remaining = Type.Object(
  {
    medianMs: optionalMs,
    p90Ms: Nullable(
      Type.Number({ minimum: 0, description: "Where each task takes as long as nine of ten." }),
    ),
    reason: Nullable(Type.String({ description: "Why there is no estimate." })),
  },
  {
    description:
      "What is left, by earlier tasks of the same adapter and action, as if each task found a free place at once.",
  },
);

const split = Type.Object(
  {
    predecessorsMs: Type.Number({ description: "Waited for its predecessors, since the plan began." }),
    queueMs: Type.Number({ description: "Was ready and waited for a place among the tasks at work." }),
    retriesMs: Type.Number({ description: "Attempts before the last one, with the pauses between them." }),
    callMs: Type.Number({ description: "The call of the adapter, until it answered." }),
    pollMs: Type.Number({ description: "The adapter was at work and its token was polled." }),
  },
  { description: "Milliseconds, until the task ended or until now." },
);

export const planTiming = Type.Object({
  executionPlanId: Type.String(),
  status: Type.String(),
  asOf: Type.String({ format: "date-time" }),
  createdAt: Type.String({ format: "date-time" }),
  startedAt: time,
  stoppedAt: time,
  beforeStartMs: Type.Number({
    minimum: 0,
    description: "From its acceptance until a worker took it: its approval, its environment, its turn.",
  }),
  approvalMs: Type.Number({ minimum: 0, description: "Of that, the wait for an approval." }),
  tasks: Type.Array(
    Type.Object({
      taskId: Type.String(),
      action: Type.String(),
      componentId: Nullable(Type.String()),
      adapterId: Nullable(Type.String()),
      status: Type.String(),
      isCritical: Type.Boolean({ description: "Is on the critical path." }),
      split,
      remaining: Nullable(remaining),
    }),
    { description: "In the order of the plan; `remaining` is null of those that have ended." },
  ),
  criticalPath: Type.Object(
    { taskIds: Type.Array(Type.String()), ms },
    {
      description:
        "The longest chain of tasks by the time that they took, or will take by the median; first to last.",
    },
  ),
  remaining,
  statistics: Type.Array(
    Type.Object({
      adapterId: Nullable(Type.String({ description: "Null for the evaluation of policies." })),
      action: Type.String(),
      samples: Type.Integer(),
      medianMs: ms,
      p90Ms: ms,
    }),
    { description: "What the estimates are made of: the last tasks of the plan's adapters that completed." },
  ),
});
export type PlanTimingAnswer = Static<typeof planTiming>;
