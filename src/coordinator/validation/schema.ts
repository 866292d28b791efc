/** Wire shapes of validation. */
import { Type, type Static } from "typebox";
import { errorObject } from "../error-schema.ts";

/** A unit of ten thousand components is a few megabytes of YAML. */
const longestDescriptor = 8 * 1024 * 1024;

export const validateBody = Type.Object({
  descriptor: Type.String({ minLength: 1, maxLength: longestDescriptor, description: "YAML." }),
  removeData: Type.Boolean({ default: false }),
});
export type ValidateBody = Static<typeof validateBody>;

const validationState = Type.Enum(["RUNNING", "COMPLETED", "FAILED"]);

export const validationResult = Type.Object({
  results: Type.Array(
    Type.Object({
      validationPhaseKind: Type.Enum([
        "INTERNAL_VALIDATION_PHASE",
        "POLICY_COMPONENT_VALIDATION_PHASE",
        "COMPONENT_VALIDATION_PHASE",
        "DATAPRODUCT_VALIDATION_PHASE",
      ]),
      validatedDescriptor: Type.String(),
      errors: errorObject,
      status: validationState,
      warnings: Type.Optional(Type.Array(Type.String(), { description: "What does not make it invalid." })),
    }),
  ),
});
export type ValidationResult = Static<typeof validationResult>;

export const validationStatusResponse = Type.Object({
  status: validationState,
  validationSummaryStatus: validationResult,
});
export type ValidationStatusResponse = Static<typeof validationStatusResponse>;
