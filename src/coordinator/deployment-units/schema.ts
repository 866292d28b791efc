/** Wire shapes of the deployment unit operations, as interfaces.md names them. */
import { Type, type Static } from "typebox";

const targetStatus = Type.Enum(["DEPLOYED", "NOT_DEPLOYED"]);
const action = Type.Enum(["DEPLOY", "REDEPLOY", "UNDEPLOY", "NONE"]);

export const unitParams = Type.Object({
  "deployment-unit-id": Type.String({
    minLength: 1,
    maxLength: 512,
    description: "Id of the deployment unit.",
  }),
});

export const componentParams = Type.Object({
  ...unitParams.properties,
  "component-id": Type.String({ minLength: 1, maxLength: 512 }),
});

export const environmentQuery = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "A configured environment.",
});

/** What a plan's hash looks like, as a part of a pattern. */
export const planHashForm = String.raw`[A-Za-z0-9_-]{22}(?:\.[A-Za-z0-9_-]*)?`;

export const provisioningBody = Type.Object({
  descriptor: Type.Object(
    {},
    {
      additionalProperties: true,
      description: "Deployment unit descriptor: id, name, version, components (id, name, dependsOn, …).",
    },
  ),
  targetStatus: Type.Array(
    Type.Object({
      componentId: Type.String({ minLength: 1, maxLength: 512 }),
      targetStatus,
      action: Type.Optional(action),
    }),
    { maxItems: 20_000 },
  ),
  removeData: Type.Boolean({ default: false }),
  preventRedeploy: Type.Boolean({ default: false }),
  confirmDataRemoval: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
      maxItems: 20_000,
      description: "Components with `deletionProtection` whose data may be removed all the same.",
    }),
  ),
  planHash: Type.Optional(
    Type.String({
      maxLength: 4096,
      pattern: `^${planHashForm}$`,
      description: "Of a preview: a start is refused with 409 when its plan would be another one by now.",
    }),
  ),
});
export type ProvisioningBody = Static<typeof provisioningBody>;

const operationRef = Type.Optional(Type.String({ minLength: 1, maxLength: 256 }));

export const rollbackBody = Type.Object(
  {
    operationId: operationRef,
    executionPlanId: operationRef,
    removeData: provisioningBody.properties.removeData,
    preventRedeploy: Type.Boolean({
      default: true,
      description: "Leaves components alone that are deployed as they were then.",
    }),
    confirmDataRemoval: provisioningBody.properties.confirmDataRemoval,
    planHash: provisioningBody.properties.planHash,
  },
  { description: "An earlier operation that SUCCEEDED, by one of its two names." },
);
export type RollbackBody = Static<typeof rollbackBody>;

const plannedChange = Type.Object({
  componentId: Type.String(),
  targetStatus,
  action,
  reason: Type.String(),
  additionalReasons: Type.Array(Type.String()),
  dependencyOf: Type.Array(Type.String()),
  dependantOn: Type.Array(Type.String()),
});

export const provisioningPlan = Type.Object({
  outcome: Type.Enum(["OK", "KO"]),
  operations: Type.Array(plannedChange),
  conflictingOperations: Type.Array(plannedChange),
  planHash: Type.String({
    description: "Stands for this plan; send it with a start to get exactly this one.",
  }),
  protectedData: Type.Optional(
    Type.Array(Type.String(), {
      description: "Components whose data a start would remove only if `confirmDataRemoval` names them.",
    }),
  ),
});

export const unitStatusWord = Type.Enum([
  "DEPLOYED",
  "NOT_DEPLOYED",
  "PARTIALLY_DEPLOYED",
  "CORRUPT",
  "PROVISIONING_IN_PROGRESS",
]);
const anyObject = Type.Object({}, { additionalProperties: true });

const failure = Type.Object(
  {
    executionPlanId: Type.String({ description: "Token of the plan." }),
    operationId: Type.String(),
    provisioningAction: Type.Enum(["DEPLOY", "UNDEPLOY"]),
    taskId: Type.String(),
    action: Type.String({ description: "Of the task." }),
    componentId: Type.Union([Type.String(), Type.Null()]),
    message: Type.String({ description: "How the task ended." }),
    at: Type.Union([Type.String(), Type.Null()]),
  },
  { description: "Only with CORRUPT: the operation and its task that made it so." },
);
const known = Type.Boolean({
  description: "false where no operation was ever started on the unit in the environment; absent otherwise.",
});

export const unitStatusResponse = Type.Object({
  status: unitStatusWord,
  known: Type.Optional(known),
  failure: Type.Optional(failure),
  provisioningDetails: Type.Object({
    descriptorVersion: Type.String(),
    descriptor: Type.Optional(anyObject),
    provisioningInfo: anyObject,
    componentsStatus: Type.Array(
      Type.Object({
        componentId: Type.String(),
        descriptorVersion: Type.String(),
        status: unitStatusWord,
        failure: Type.Optional(failure),
      }),
    ),
  }),
});
export type UnitStatusResponse = Static<typeof unitStatusResponse>;

export const componentStatusResponse = Type.Object({
  status: unitStatusWord,
  known: Type.Optional(known),
  failure: Type.Optional(failure),
  provisioningDetails: Type.Object({
    descriptorVersion: Type.String(),
    descriptor: Type.Optional(anyObject),
  }),
});
export type ComponentStatusResponse = Static<typeof componentStatusResponse>;
