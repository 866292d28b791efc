/** Wire shapes of stored results, of pushed ones, and of the compliance of a unit. */
import { Type, type Static } from "typebox";
import { evaluationResult, outcome, outcomeCounts } from "../evaluations/schema.ts";

const idText = (description: string) => Type.String({ minLength: 1, maxLength: 512, description });
const time = (description: string) => Type.String({ format: "date-time", description });

const filters = {
  resource: Type.Optional(idText("Id of a resource, in any case.")),
  policy: Type.Optional(idText("Id of a policy.")),
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  outcome: Type.Array(Type.Enum(["ok", "warning", "error", "failed"]), {
    default: [],
    maxItems: 4,
    description: "Comma-separated; empty for any.",
  }),
  since: Type.Optional(time("Only results of this time or later.")),
};

export const countQuery = Type.Object(filters);
export type CountQuery = Static<typeof countQuery>;

export const resultsQuery = Type.Object({
  ...filters,
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 25 }),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4096, description: "`meta.pagination.next` of the page before." }),
  ),
});
export type ResultsQuery = Static<typeof resultsQuery>;

export const resultList = Type.Object({
  data: Type.Array(evaluationResult),
  meta: Type.Object({
    pagination: Type.Object({ limit: Type.Integer(), next: Type.Union([Type.String(), Type.Null()]) }),
  }),
});
export type ResultList = Static<typeof resultList>;

export const resultCount = Type.Object({ count: Type.Integer() });

const maxErrors = 100;

export const pushedResult = Type.Object({
  policyId: idText("Id of a passive policy or metric."),
  resourceId: idText("Id of a resource that is deployed in the environment, or that was evaluated there."),
  environment: Type.String({ minLength: 1, maxLength: 128 }),
  outcome,
  value: Type.Optional(Type.Number({ description: "Of a metric." })),
  errors: Type.Array(
    Type.Object({
      path: Type.Optional(Type.String({ maxLength: 2000 })),
      message: Type.String({ minLength: 1, maxLength: 4000 }),
    }),
    { default: [], maxItems: maxErrors },
  ),
  at: time("When it was found; results are told apart by policy, resource, environment and this time."),
});
export type PushedResult = Static<typeof pushedResult>;

export const acceptance = Type.Object({
  accepted: Type.Boolean({
    description:
      "False when a later result of the policy over the resource is there, or another one of the same time to the millisecond.",
  }),
});

export const complianceQuery = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 128, description: "A configured environment." }),
});
export const unitParams = Type.Object({ id: idText("Id of the deployment unit, in any case.") });

export const compliance = Type.Object({
  unitId: Type.String(),
  environment: Type.String(),
  summary: Type.Object({
    isCompliant: Type.Boolean({ description: "Whether no result is an error, or failed and blocking." }),
    ...outcomeCounts.properties,
    evaluatedAt: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  }),
  policies: Type.Array(evaluationResult, {
    description: "The latest result of each policy over the unit and each of its deployed components.",
  }),
  history: Type.Array(
    Type.Object({
      at: Type.String({ format: "date-time" }),
      source: Type.Enum(["plan", "report", "schedule", "pushed"]),
      ...outcomeCounts.properties,
    }),
    { description: "The last 50 evaluations of the unit, the latest first." },
  ),
});
export type Compliance = Static<typeof compliance>;
