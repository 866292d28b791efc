/** Wire shapes of the ledger of unknown outcomes. */
import { Type, type Static } from "typebox";

export const outcomeParams = Type.Object({
  plan: Type.String({ minLength: 1, maxLength: 256, description: "Token of the execution plan." }),
  task: Type.String({ minLength: 1, maxLength: 1024, description: "Id of the task in its graph." }),
});

export const outcomeListQuery = Type.Object({
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  "deployment-unit-id": Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  settled: Type.Boolean({ default: false, description: "Lists those that are settled instead." }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4096, description: "`meta.pagination.next` of the page before." }),
  ),
});

const time = Type.String({ description: "ISO 8601 in UTC." });
const optionalTime = Type.Union([time, Type.Null()]);
const optionalText = Type.Union([Type.String(), Type.Null()]);

export const unknownOutcome = Type.Object({
  planId: Type.String(),
  taskId: Type.String(),
  deploymentUnitId: optionalText,
  environment: Type.String(),
  componentId: optionalText,
  adapterId: optionalText,
  action: Type.String(),
  taskStatus: Type.String(),
  state: Type.Enum(["IN_PROGRESS", "OPEN", "SETTLED"], {
    description:
      "IN_PROGRESS: its plan is still polling. OPEN: it waits for a poll or a settlement on request.",
  }),
  since: time,
  ageSeconds: Type.Integer({ description: "Since the task began, up to now or its settlement." }),
  attempts: Type.Integer({ description: "How often the call was made, always under one idempotency key." }),
  evidence: Type.Object(
    {
      lastCallAt: optionalTime,
      endedAt: optionalTime,
      lastAnswer: optionalText,
      token: Type.Union([Type.String(), Type.Null()], {
        description: "The adapter's token for polling.",
      }),
      polls: Type.Integer({
        description: "Times that the adapter was asked since the plan ended, on demand or by the clock.",
      }),
      lastPollAt: optionalTime,
      lastPollAnswer: optionalText,
      retries: Type.Integer({
        description: "How often the adapter was asked by the clock since the plan ended.",
      }),
      nextRetryAt: Type.Union([time, Type.Null()], { description: "When it is asked by the clock next." }),
    },
    { description: "What is known." },
  ),
  next: Type.String({ description: "What happens next, or who can do what." }),
  settlement: Type.Union([
    Type.Object({
      outcome: Type.String(),
      by: Type.String(),
      at: time,
      reason: Type.String(),
    }),
    Type.Null(),
  ]),
});
export type UnknownOutcome = Static<typeof unknownOutcome>;

export const unknownOutcomeList = Type.Object({
  data: Type.Array(unknownOutcome),
  meta: Type.Object({
    pagination: Type.Object({ limit: Type.Integer(), next: optionalText }),
  }),
});
export type UnknownOutcomeList = Static<typeof unknownOutcomeList>;

export const settleBody = Type.Object({
  outcome: Type.Enum(["DEPLOYED", "NOT_DEPLOYED", "CORRUPT", "APPLIED", "NOT_APPLIED"], {
    description:
      "What is true of the component: DEPLOYED, NOT_DEPLOYED or CORRUPT. Of other tasks: APPLIED or NOT_APPLIED.",
  }),
  reason: Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: "\\S",
    description: "How the outcome was found out; stored in the audit.",
  }),
  info: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: "With DEPLOYED: what the adapter would have returned, `{publicInfo?, privateInfo?}`.",
      },
    ),
  ),
});
export type SettleBody = Static<typeof settleBody>;
