/** Wire shapes of the operations that clients of earlier products call. */
import { Type, type Static } from "typebox";

const id = (description: string) => Type.String({ minLength: 1, maxLength: 512, description });

export const dataProductParams = Type.Object({ dataProduct: id("Id of the deployment unit, in any case.") });

export const dataProductQuery = Type.Object({
  environment: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: "A configured environment; without it the first one, by priority, that knows the unit.",
    }),
  ),
});
export type DataProductQuery = Static<typeof dataProductQuery>;

export const dataProductPolicies = Type.Object({
  policies: Type.Array(
    Type.Object({
      policyId: Type.String(),
      name: Type.String(),
      status: Type.Enum(["passed", "warning", "failed"]),
      message: Type.String({ description: "What is wrong, and where; empty where the policy holds." }),
      remediation: Type.String({ description: "What to do about it." }),
    }),
    { description: "Each policy once, with its worst result over the unit and its components." },
  ),
});
export type DataProductPolicies = Static<typeof dataProductPolicies>;

export const dataProductApprovals = Type.Object({
  approvals: Type.Array(
    Type.Object({
      approver: Type.String(),
      status: Type.Enum(["pending", "approved", "rejected"]),
      timestamp: Type.String({ format: "date-time" }),
      comment: Type.String(),
    }),
    { description: "The latest first." },
  ),
});
export type DataProductApprovals = Static<typeof dataProductApprovals>;
