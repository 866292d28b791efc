/** Wire shapes of what became of the calls of adapters. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../../platform/http/schema.ts";

const time = Type.String({ format: "date-time" });

export const callOutcome = Type.Enum(["COMPLETED", "FAILED", "UNANSWERED", "UNKNOWN", "TERMINATED"], {
  description:
    "FAILED: the adapter answered that it failed, or refused. UNANSWERED: it gave no usable answer. UNKNOWN: it may have acted " +
    "all the same. TERMINATED: somebody ended the plan.",
});

const call = Type.Object({
  executionPlanId: Type.String({ description: "Token of its plan." }),
  taskId: Type.String(),
  deploymentUnitId: Nullable(Type.String()),
  componentId: Nullable(Type.String()),
  action: Type.String(),
  outcome: callOutcome,
  attempts: Type.Integer(),
  wasPolled: Type.Boolean({ description: "The adapter gave a token, which was polled." }),
  startedAt: time,
  stoppedAt: time,
  durationMs: Type.Number({ description: "With all attempts and polls." }),
  message: Nullable(Type.String({ description: "How it ended, shortened; null for one that completed." })),
});

const health = Type.Object({
  adapterId: Type.String(),
  name: Type.String(),
  environment: Type.String(),
  enabled: Type.Boolean(),
  health: Type.Enum(["ANSWERING", "SLOW", "FAILING", "UNKNOWN"], {
    description:
      "Of the calls that happened: FAILING when the last one was not answered, or one waits for its answer to be tried again; " +
      "SLOW when the last ones took more than three times as long as those before; UNKNOWN without a call in the last day.",
  }),
  since: Nullable(Type.String({ format: "date-time", description: "Null where no call is known." })),
  reason: Type.String({ description: "In one sentence." }),
  calls: Type.Object(
    {
      completed: Type.Integer(),
      failed: Type.Integer(),
      unanswered: Type.Integer({ description: "With those whose outcome is unknown." }),
      terminated: Type.Integer(),
    },
    { description: "How the last calls ended." },
  ),
  atWork: Type.Integer({ description: "Calls at work now." }),
  medianMs: Nullable(Type.Number({ description: "Of those that completed; null without any." })),
  p90Ms: Nullable(Type.Number()),
  lastCallAt: Nullable(time),
  lastError: Nullable(
    Type.Object({
      executionPlanId: Type.String(),
      taskId: Type.String(),
      action: Type.String(),
      outcome: callOutcome,
      at: time,
      message: Type.String(),
    }),
  ),
});
export type AdapterHealth = Static<typeof health>;

const cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 4096, description: "`meta.pagination.next` of the page before." }),
);
const meta = Type.Object({
  pagination: Type.Object({ limit: Type.Integer(), next: Nullable(Type.String()) }),
});

export const callListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  cursor,
});

export const callList = Type.Object({
  data: Type.Array(call, {
    description: "The last one first. A page may have fewer than its limit and still a next one.",
  }),
  health,
  meta,
});
export type CallList = Static<typeof callList>;

export const healthQuery = Type.Object({
  environment: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
    default: [],
    maxItems: 16,
    description: "Comma-separated; addresses in any of these environments.",
  }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 100 }),
  cursor,
});

export const healthList = Type.Object({ data: Type.Array(health), meta });
export type HealthList = Static<typeof healthList>;
