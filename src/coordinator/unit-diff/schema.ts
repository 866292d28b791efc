/** Wire shapes of the comparison of a unit in two environments. */
import { Type, type Static } from "typebox";
import { environmentQuery } from "../deployment-units/schema.ts";

export const diffQuery = Type.Object({
  environment: environmentQuery,
  "other-environment": Type.String({
    minLength: 1,
    maxLength: 128,
    description: "Another configured environment.",
  }),
});

const status = Type.Enum(["DEPLOYED", "NOT_DEPLOYED", "CORRUPT"]);

const changedField = Type.Object({
  field: Type.String({ description: "JSON pointer into the component's descriptor." }),
  environment: Type.Optional(
    Type.Unknown({ description: "Absent where there is no such field; secrets are ***." }),
  ),
  otherEnvironment: Type.Optional(Type.Unknown()),
});

const componentDiff = Type.Object({
  componentId: Type.String(),
  result: Type.Enum(["IDENTICAL", "DIFFERENT", "ONLY_IN_ENVIRONMENT", "ONLY_IN_OTHER_ENVIRONMENT"]),
  differences: Type.Array(Type.Enum(["STATUS", "DESCRIPTOR_VERSION", "FIELDS"])),
  status: Type.Object({ environment: status, otherEnvironment: status }),
  descriptorVersion: Type.Object({ environment: Type.String(), otherEnvironment: Type.String() }),
  changedFields: Type.Array(changedField),
  hasMoreChangedFields: Type.Boolean(),
});
export type ComponentDiff = Static<typeof componentDiff>;

export const unitDiff = Type.Object({
  deploymentUnitId: Type.String(),
  environment: Type.String(),
  otherEnvironment: Type.String(),
  identical: Type.Boolean(),
  components: Type.Array(componentDiff),
});
export type UnitDiff = Static<typeof unitDiff>;
