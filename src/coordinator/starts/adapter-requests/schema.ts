/** Wire shapes of access requests, reverse provisioning and validation. */
import { Type, type Static } from "typebox";
import { errorObject } from "../../../platform/http/responses/error-object.ts";
import { Nullable } from "../../../platform/http/schema.ts";

/**
 * In characters and in bytes: together with its component it has to fit into an index entry of the database.
 */
export const longestIdentity = 400;

const identifier = Type.String({ minLength: 1, maxLength: 512 });

export const accessRequestBody = Type.Object({
  dataProductUrn: identifier,
  outputPortId: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "The caller's own number of the port; passed on, not used.",
  }),
  outputPortUrn: Type.String({
    minLength: 1,
    maxLength: 512,
    description: "Id of the component or subcomponent.",
  }),
  requestId: Type.String({
    minLength: 1,
    maxLength: 256,
    description: "The same request under the same id is carried out once.",
  }),
  identities: Type.Array(Type.String({ minLength: 1, maxLength: longestIdentity }), {
    maxItems: 10_000,
    description:
      "All identities that have access afterwards, as user:… and group:…; an empty list revokes all.",
  }),
  environment: Type.String({ minLength: 1, maxLength: 128, description: "A configured environment." }),
  accessControlFields: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: "Passed on to the adapter." }),
  ),
});
export type AccessRequestBody = Static<typeof accessRequestBody>;

const anyObject = (description: string) => Type.Object({}, { additionalProperties: true, description });

export const reverseProvisioningBody = Type.Object({
  useCaseTemplateId: identifier,
  infrastructureTemplateIds: Type.Array(identifier, {
    minItems: 1,
    maxItems: 100,
    description: "The first with an enabled deployment in the environment is asked.",
  }),
  environment: Type.String({ minLength: 1, maxLength: 128, description: "A configured environment." }),
  params: Type.Optional(anyObject("What the adapter needs to find the resource.")),
  catalogInfo: Type.Optional(anyObject("The entity that is to be updated.")),
});
export type ReverseProvisioningBody = Static<typeof reverseProvisioningBody>;

/** Fits a unit of ten thousand components, which is a few megabytes of YAML. */
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

const time = Type.String({ format: "date-time" });

export const unitAccessQuery = Type.Object({
  environment: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: "A configured environment; all without." }),
  ),
  identity: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: "Only what this user or group has, in any case.",
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4096, description: "`meta.pagination.next` of the page before." }),
  ),
});
export type UnitAccessQuery = Static<typeof unitAccessQuery>;

export const unitAccess = Type.Object({
  data: Type.Array(
    Type.Object({
      environment: Type.String(),
      outputPortUrn: Type.String({ description: "Id of the component or subcomponent." }),
      outputPortName: Nullable(Type.String({ description: "As deployed." })),
      identity: Type.String({ description: "A user or a group, as it was requested." }),
      grantedAt: time,
      request: Nullable(
        Type.Object(
          {
            id: Type.String({ description: "Under which the coordinator took the change." }),
            accessRequestId: Nullable(
              Type.String({
                description: "The access request of the builder; null where a program set the access.",
              }),
            ),
            executionPlanId: Type.String({ description: "Token of the plan that granted it." }),
            requestedBy: Type.String(),
            requestedAt: time,
          },
          { description: "null where the request is no longer stored." },
        ),
      ),
    }),
    { description: "In the order of environment, output port and identity." },
  ),
  meta: Type.Object({
    visible: Type.Enum(["ALL", "OWN"], {
      description:
        "ALL: everybody's access. OWN: of units that the caller does not own only what the caller and the caller's groups have.",
    }),
    pagination: Type.Object({ limit: Type.Integer(), next: Nullable(Type.String()) }),
  }),
});
export type UnitAccess = Static<typeof unitAccess>;
