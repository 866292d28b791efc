/** Wire shapes of what is deployed: the comparison of environments, resources, and accepted descriptors. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";
import { environmentQuery } from "./schema.ts";

const comparedPlan = (what: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: `${what}, as its stored descriptor says; a token. Without it, what is deployed.`,
    }),
  );

export const diffQuery = Type.Object({
  environment: environmentQuery,
  "other-environment": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: "Another configured environment; where a plan is named, without it the same one.",
    }),
  ),
  plan: comparedPlan("The environment's side is what this plan was to deploy"),
  "other-plan": comparedPlan("The other environment's side is what this plan was to deploy"),
});

const status = Nullable(
  Type.Enum(["DEPLOYED", "NOT_DEPLOYED", "CORRUPT"], {
    description: "Null where a plan is named: its descriptor has no status.",
  }),
);

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
  executionPlanId: Type.Optional(
    Nullable(
      Type.String({ description: "Only where a plan is named: this side's; null for what is deployed." }),
    ),
  ),
  otherExecutionPlanId: Type.Optional(Nullable(Type.String())),
  identical: Type.Boolean(),
  components: Type.Array(componentDiff),
});
export type UnitDiff = Static<typeof unitDiff>;

/** Maximum page size. */
const maxResources = 50;

export const resourcesQuery = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 128, description: "A configured environment." }),
  "resource-types": Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
    default: [],
    maxItems: 64,
    description: "Comma-separated kinds, as `kind` of the descriptors, in any case.",
  }),
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: "Only this deployment unit." })),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: maxResources, default: 5 }),
});

export const resourceList = Type.Object({
  content: Type.Array(Type.String(), {
    description:
      "Descriptors as YAML. Very long ones make a page shorter: go on at offset + the number given.",
  }),
  page: Type.Object({
    offset: Type.Integer(),
    limit: Type.Integer(),
    count: Type.Integer({ description: "How many there are in all." }),
  }),
});
export type ResourceList = Static<typeof resourceList>;

/** Maximum page size. */
export const maxDescriptors = 100;

export const descriptorsQuery = Type.Object({
  kind: Type.Enum(["pre-deployed"], { description: "Descriptors without deploy and build information." }),
  lastDeploymentTime: Type.Optional(
    Type.String({
      format: "date-time",
      description: "Only later ones; lastDeploymentTime of the page before.",
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    description:
      `At most ${maxDescriptors} come in one answer. ` +
      "Those of the last one's millisecond come with it; very long ones make a page shorter.",
  }),
});

export const preDeployedDescriptors = Type.Object({
  descriptors: Type.Array(
    Type.Object({
      descriptor: Type.String({ description: "YAML." }),
      operation: Type.Enum(["Provision", "Unprovision"]),
    }),
  ),
  lastDeploymentTime: Type.String({
    format: "date-time",
    description: "Of the last descriptor; what was asked for where there is none.",
  }),
});
export type PreDeployedDescriptors = Static<typeof preDeployedDescriptors>;
