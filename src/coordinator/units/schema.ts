/** Wire shapes of the status of deployment units and of their lists. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";

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

export const unitStatusWord = Type.Enum([
  "DEPLOYED",
  "NOT_DEPLOYED",
  "PARTIALLY_DEPLOYED",
  "CORRUPT",
  "PROVISIONING_IN_PROGRESS",
]);
const anyObject = Type.Object({}, { additionalProperties: true });

export const unitFailure = Type.Object(
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
  failure: Type.Optional(unitFailure),
  provisioningDetails: Type.Object({
    descriptorVersion: Type.String(),
    descriptor: Type.Optional(anyObject),
    provisioningInfo: anyObject,
    componentsStatus: Type.Array(
      Type.Object({
        componentId: Type.String(),
        descriptorVersion: Type.String(),
        status: unitStatusWord,
        failure: Type.Optional(unitFailure),
      }),
    ),
  }),
});
export type UnitStatusResponse = Static<typeof unitStatusResponse>;

export const componentStatusResponse = Type.Object({
  status: unitStatusWord,
  known: Type.Optional(known),
  failure: Type.Optional(unitFailure),
  provisioningDetails: Type.Object({
    descriptorVersion: Type.String(),
    descriptor: Type.Optional(anyObject),
  }),
});
export type ComponentStatusResponse = Static<typeof componentStatusResponse>;

const part = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 512, description }));

export const unitFilters = {
  environment: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
    default: [],
    maxItems: 16,
    description: "Comma-separated; units in any of these environments.",
  }),
  status: Type.Array(unitStatusWord, {
    default: [],
    maxItems: 16,
    description: "Comma-separated; units in any of these states.",
  }),
  search: part("Part of the unit's id or name, in any case."),
  owner: part("Units whose descriptor has this `dataProductOwner`, or else this `projectOwner`."),
  domain: part("Units whose descriptor has this `domain`."),
  kind: part("Units whose descriptor has this `kind`, in any case."),
};

export const unitListQuery = Type.Object({
  ...unitFilters,
  limit: Type.Integer({ minimum: 1, default: 20, description: "A page has at most 500." }),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4096, description: "`meta.pagination.next` of the page before." }),
  ),
});
export type UnitListRequest = Static<typeof unitListQuery>;

const text = Nullable(Type.String());

export const unitList = Type.Object({
  data: Type.Array(
    Type.Object({
      deploymentUnitId: Type.String(),
      environment: Type.String(),
      name: text,
      kind: text,
      owner: text,
      domain: text,
      status: unitStatusWord,
      descriptorVersion: Type.String(),
      executionPlanId: Nullable(Type.String({ description: "Token of its last plan." })),
      executionPlanStatus: text,
      updatedAt: Type.String({ format: "date-time" }),
    }),
  ),
  meta: Type.Object({
    pagination: Type.Object({
      limit: Type.Integer({ description: "Of this page; less than was asked for where that is too much." }),
      next: text,
    }),
  }),
});
export type UnitList = Static<typeof unitList>;

export const environmentList = Type.Object({
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      deploymentUnits: Type.Integer({ description: "Units on which an operation was started there." }),
      activeOperations: Type.Integer(),
    }),
  ),
});
export type EnvironmentList = Static<typeof environmentList>;
