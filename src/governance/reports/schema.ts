/** Wire shapes of evaluations and their reports. */
import { Type, type Static } from "typebox";
import { evaluationResult, outcomeCounts } from "../evaluations/schema.ts";
import { newPolicyBody, policyId } from "../policies/schema.ts";

const idText = (description: string) => Type.String({ minLength: 1, maxLength: 512, description });

const descriptorInput = Type.Union(
  [Type.String({ minLength: 1 }), Type.Record(Type.String(), Type.Unknown())],
  { description: "An object, or a text in YAML or JSON." },
);

export const evaluateBody = Type.Object({
  id: idText("Id of the resource."),
  displayName: Type.Optional(Type.String({ maxLength: 512 })),
  version: Type.Optional(Type.String({ maxLength: 128 })),
  environment: Type.String({ minLength: 1, maxLength: 128 }),
  resourceType: Type.String({
    minLength: 1,
    maxLength: 128,
    description: "For example dataproduct or outputport.",
  }),
  descriptor: descriptorInput,
  labels: Type.Optional(
    Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 1024 }), { maxProperties: 64 }),
  ),
});
export type EvaluateBody = Static<typeof evaluateBody>;

export const startedReport = Type.Object({ reportId: Type.String() });

export const reportParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }) });

/** A result of a trial says whose unit is hit. */
const reportedResult = Type.Object({
  ...evaluationResult.properties,
  unit: Type.Optional(
    Type.Object({
      id: Type.String(),
      owner: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
export type ReportedResult = Static<typeof reportedResult>;

export const evaluationReport = Type.Object({
  id: Type.String(),
  status: Type.Enum(["pending", "completed", "failed"]),
  evaluationScope: Type.Enum(["resource", "unit", "everything"]),
  environment: Type.String(),
  summary: outcomeCounts,
  evaluationResults: Type.Array(reportedResult, {
    description:
      "Of everything that is deployed only what is not ok, and the values of a metric that is tried. Empty until the report is completed.",
  }),
  failure: Type.Optional(Type.String({ description: "Why a failed report could not be completed." })),
  createdAt: Type.String({ format: "date-time" }),
  endedAt: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
});
export type EvaluationReport = Static<typeof evaluationReport>;

export const trialBody = Type.Object({
  policy: Type.Optional(newPolicyBody),
  policyId: Type.Optional(policyId),
  environment: Type.String({ minLength: 1, maxLength: 128 }),
  descriptor: Type.Optional(descriptorInput),
  previous: Type.Optional(descriptorInput),
  everything: Type.Optional(
    Type.Boolean({
      description: "Tries the policy on everything that is deployed in the environment, in a report.",
    }),
  ),
});
export type TrialBody = Static<typeof trialBody>;

export const trialResults = Type.Object({
  summary: outcomeCounts,
  results: Type.Array(evaluationResult, {
    description: "For the unit and each component that the policy is about; as if it were enabled.",
  }),
});
export type TrialResults = Static<typeof trialResults>;
