/** Wire shapes of exceptions. */
import { Type, type Static } from "typebox";

const time = Type.String({ format: "date-time" });
const reason = Type.String({ minLength: 1, maxLength: 2_048, pattern: "\\S" });
export const exceptionStatuses = ["pending", "approved", "rejected", "revoked", "expired"] as const;
export type ExceptionStatus = (typeof exceptionStatuses)[number];

export const newExceptionBody = Type.Object({
  policyId: Type.String({ minLength: 1, maxLength: 128 }),
  resourceIds: Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
    default: [],
    maxItems: 1_000,
    description: "The resources that are excused; either these or `select`.",
  }),
  select: Type.Optional(
    Type.String({ minLength: 1, maxLength: 65_536, description: "An expression over the resource." }),
  ),
  environments: Type.Array(Type.String({ minLength: 1, maxLength: 63 }), {
    default: [],
    maxItems: 64,
    description: "Empty for every environment.",
  }),
  reason,
  until: time,
});
export type NewExceptionBody = Static<typeof newExceptionBody>;

export const exceptionView = Type.Object({
  id: Type.String(),
  policyId: Type.String(),
  resourceIds: Type.Array(Type.String()),
  select: Type.Optional(Type.String()),
  environments: Type.Array(Type.String()),
  reason: Type.String(),
  until: time,
  status: Type.Enum(exceptionStatuses),
  requestedBy: Type.String(),
  requestedAt: time,
  decidedBy: Type.Optional(Type.String()),
  decidedAt: Type.Optional(time),
  decisionReason: Type.Optional(Type.String()),
});
export type ExceptionView = Static<typeof exceptionView>;

export const exceptionList = Type.Object({
  data: Type.Array(exceptionView),
  meta: Type.Object({
    pagination: Type.Object({ offset: Type.Integer(), limit: Type.Integer(), total: Type.Integer() }),
  }),
});

export const exceptionQuery = Type.Object({
  policy: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  resource: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  status: Type.Array(Type.Enum(exceptionStatuses), {
    default: [],
    description: "Comma-separated; any may match.",
  }),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 25 }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
});
export type ExceptionQuery = Static<typeof exceptionQuery>;

export const decisionBody = Type.Object({ approve: Type.Boolean(), reason });
export type DecisionBody = Static<typeof decisionBody>;

export const exceptionParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) });
