/** Wire shapes of the list of resources. */
import { Type, type Static } from "typebox";

/** The most that one page may hold. */
const mostResources = 50;

export const resourcesQuery = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 128, description: "A configured environment." }),
  "resource-types": Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
    default: [],
    maxItems: 64,
    description: "Comma-separated kinds, as `kind` of the descriptors, in any case.",
  }),
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: "Only this deployment unit." })),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: mostResources, default: 5 }),
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
