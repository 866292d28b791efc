/** Wire shape of what the policies say in a preview, and the error object of every phase about policies. */
import { Type, type Static } from "typebox";
import { errorObject, type ErrorObject } from "../../../platform/http/responses/error-object.ts";
import { coordinatorErrors } from "../../errors.ts";
import { someOf, unavailableMark, type Findings } from "../../execution/policies/verdict.ts";

export const policyPhase = Type.Object({
  validationPhaseKind: Type.Enum(["POLICY_COMPONENT_VALIDATION_PHASE"]),
  componentId: Type.String({ description: "Id of the component, or of the unit itself." }),
  errors: errorObject,
  status: Type.Enum(["COMPLETED", "FAILED"]),
});
export type PolicyPhase = Static<typeof policyPhase>;

/** Warnings are listed too: the status of the phase says that they stop nothing. */
export function policyErrors(
  { problems, warnings, solutions }: Omit<Findings, "held">,
  pointer: string,
): ErrorObject {
  const errors = [...problems, ...warnings];
  if (errors.length === 0) return noErrors;
  const isUnavailable = errors.some((each) => each.startsWith(unavailableMark));
  const code = isUnavailable ? "COORD_POLICIES_UNAVAILABLE" : "COORD_POLICY_VIOLATED";
  return {
    errors,
    code,
    userMessage: someOf(errors),
    input: "",
    inputErrorField: pointer,
    moreInfo: {
      problems: errors,
      solutions: solutions.length > 0 ? solutions : [coordinatorErrors[code].solution],
    },
  };
}

export const noErrors: ErrorObject = {
  errors: [],
  code: "",
  userMessage: "",
  input: "",
  inputErrorField: "",
  moreInfo: { problems: [], solutions: [] },
};
