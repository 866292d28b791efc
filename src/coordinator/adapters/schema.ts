/** Wire shapes of the tech adapter catalogue. */
import { Type, type Static } from "typebox";

const identifier = Type.String({ minLength: 1, maxLength: 512 });
const name = Type.String({ minLength: 1, maxLength: 255 });

export const techAdapterBody = Type.Object({
  id: identifier,
  version: Type.String({ minLength: 1, maxLength: 255, description: "Equals the last segment of the id." }),
  name,
  description: Type.Optional(Type.String({ maxLength: 4096 })),
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 128, pattern: "^[^=,]+=[^=,]+$" }), {
    default: [],
    maxItems: 64,
    description: "Filterable, each in the form key=value.",
  }),
});
export type TechAdapterBody = Static<typeof techAdapterBody>;

export const techAdapterResponse = Type.Object({
  id: Type.String(),
  version: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  labels: Type.Array(Type.String()),
  deployments: Type.Object({
    environments: Type.Array(Type.Object({ environment: Type.String(), enabled: Type.Boolean() })),
  }),
});
export type TechAdapterResponse = Static<typeof techAdapterResponse>;

export const techAdapterList = Type.Object({
  data: Type.Array(techAdapterResponse),
  meta: Type.Object({
    pagination: Type.Object({ offset: Type.Integer(), limit: Type.Integer(), total: Type.Integer() }),
  }),
});

/** Maximum page size. */
export const maxAdapters = 100;

export const listQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 255, description: "Part of the name, in any case." })),
  labels: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: "Comma-separated; all must match.",
  }),
  "sort-by": Type.Enum(["name"], { default: "name" }),
  "sort-order": Type.Enum(["asc", "desc"], { default: "asc" }),
  limit: Type.Integer({
    minimum: 1,
    default: 20,
    description: `A page has at most ${maxAdapters}; \`meta.pagination.limit\` says what it holds.`,
  }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
});

const dataContractGuardian = Type.Object(
  {
    policies: Type.Optional(
      Type.Array(
        Type.Object(
          {
            resourceType: Type.String({ minLength: 1 }),
            spec: Type.Optional(
              Type.Object(
                {
                  id: Type.String({ minLength: 1 }),
                  name: Type.Optional(Type.String()),
                  description: Type.Optional(Type.String()),
                },
                { additionalProperties: true },
              ),
            ),
            id: Type.Optional(Type.String({ minLength: 1 })),
          },
          { additionalProperties: true },
        ),
      ),
    ),
  },
  { additionalProperties: true },
);

export const infraTemplateProperties = Type.Object(
  {
    dataContractGuardian: Type.Optional(dataContractGuardian),
    safeToRepeat: Type.Optional(
      Type.Boolean({
        description:
          "Whether an identical call under the same idempotency key may be repeated at any time: calls without a token whose outcome is unknown are then repeated by the clock.",
      }),
    ),
    asyncValidation: Type.Optional(
      Type.Boolean({
        description: "Whether the adapter is asked by POST /v2/validate; without, by /v1/validate.",
      }),
    ),
  },
  { additionalProperties: true },
);

export const deploymentBody = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: "Prefix of every path of the adapter; http or https.",
  }),
  enabled: Type.Boolean({ default: true }),
  properties: Type.Optional(infraTemplateProperties),
});
export type DeploymentBody = Static<typeof deploymentBody>;

export const deploymentResponse = Type.Object({
  environment: Type.String(),
  enabled: Type.Boolean(),
  url: Type.String(),
  properties: Type.Object({}, { additionalProperties: true }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type DeploymentResponse = Static<typeof deploymentResponse>;

export const adapterParams = Type.Object({ id: identifier });
export const deploymentParams = Type.Object({
  id: identifier,
  environment: Type.String({ minLength: 1, maxLength: 128 }),
});
