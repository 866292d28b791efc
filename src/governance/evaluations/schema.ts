/** Wire shapes of a result and of what was found wrong. */
import { Type, type Static } from "typebox";

export const outcome = Type.Enum(["ok", "warning", "error", "failed"], {
  description: "`failed`: the policy's engine gave no answer.",
});

export const violation = Type.Object({
  path: Type.Optional(Type.String({ description: "Where it is in the resource's descriptor." })),
  message: Type.String(),
});

const resourceView = Type.Object({
  id: Type.String(),
  displayName: Type.String(),
  environment: Type.String(),
  resourceType: Type.String(),
});

export const evaluationResult = Type.Object({
  governanceEntityId: Type.String({ description: "Id of the policy or metric." }),
  governanceEntityVersion: Type.Integer({ description: "The version that made this result." }),
  governanceEntityName: Type.String(),
  governanceEntityStatus: Type.Enum(["draft", "grace", "enabled", "disabled"], {
    description: "When it was evaluated; grace past its date is `enabled`.",
  }),
  governanceEntityType: Type.Enum(["policy", "metric"]),
  outcome,
  blocking: Type.Boolean({ description: "Whether it stops a deployment." }),
  resource: resourceView,
  result: Type.Object({
    isError: Type.Boolean(),
    satisfiesPolicy: Type.Boolean(),
    value: Type.Optional(Type.Number({ description: "Of a metric." })),
    label: Type.Optional(Type.String({ description: "Of the metric's range that the value falls into." })),
    errors: Type.Array(violation),
  }),
  advice: Type.Optional(Type.String({ description: "What to do about it." })),
  exceptionId: Type.Optional(Type.String({ description: "The exception that excuses it." })),
  creationTime: Type.String({ format: "date-time" }),
});
export type EvaluationResult = Static<typeof evaluationResult>;

export const outcomeCounts = Type.Object({
  ok: Type.Integer(),
  warning: Type.Integer(),
  error: Type.Integer(),
  failed: Type.Integer(),
});
