import { Type, type Static } from "typebox";
import { OneOf } from "../../../platform/http/schema.ts";
import { entitySchema } from "../schema.ts";
import { maxTargetChars } from "../sources/target.ts";

const problem = Type.Object({
  where: Type.String({ description: "File, line and column in the location." }),
  message: Type.String(),
  solution: Type.Optional(Type.String()),
});

export const locationSchema = Type.Object({
  id: Type.String(),
  type: Type.String(),
  target: Type.String(),
  problems: Type.Array(problem, { description: "What was wrong when it was last read." }),
  refreshedAt: Type.Unsafe<string | null>({
    type: ["string", "null"],
    description: "When it was last read well; null when it has not been yet.",
  }),
});

export const locationsAnswer = Type.Array(Type.Object({ data: locationSchema }));

export const locationBody = Type.Object({
  type: OneOf(["url", "git", "file"], { default: "url", description: "Kind of the target." }),
  target: Type.String({
    minLength: 1,
    maxLength: maxTargetChars,
    description:
      "`url`: address of a file. `git`: `https://host/name.git#ref:path`. `file`: a path in a folder that the operator allows.",
  }),
});

export const locationQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: "Only show what would be registered." }),
  onConflict: OneOf(["reject", "refresh"], {
    default: "reject",
    description: "What becomes of a location that is registered already: a 409, or it is read again.",
  }),
});

export const locationsQueryBody = Type.Object({
  query: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          "Conditions on `id`, `type` and `target`, as those on entities in `POST /entities/by-query`.",
      },
    ),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 5_000,
    default: 1_000,
    description: "Locations of this answer.",
  }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: "`nextCursor` of an earlier answer; the other conditions come from it.",
    }),
  ),
});
export type LocationsQueryBody = Static<typeof locationsQueryBody>;

export const locationsPage = Type.Object({
  items: Type.Array(locationSchema),
  totalItems: Type.Integer(),
  pageInfo: Type.Object({ nextCursor: Type.Optional(Type.String()) }),
});

export const analyzeBody = Type.Object({
  location: locationBody,
  catalogFileName: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Only files of this name count." }),
  ),
});

export const analysisAnswer = Type.Object({
  existingEntityFiles: Type.Array(
    Type.Object({
      location: Type.Object({ type: Type.String(), target: Type.String() }),
      isRegistered: Type.Boolean({ description: "The catalogue has the location or the entity already." }),
      entity: entitySchema,
    }),
    { description: "Entities that stand at the address." },
  ),
  generateEntities: Type.Array(
    Type.Object({
      entity: Type.Object({}, { additionalProperties: true }),
      fields: Type.Array(
        Type.Object({
          field: Type.String(),
          description: Type.String(),
          value: Type.Unsafe<string | null>({ type: ["string", "null"] }),
          state: Type.String(),
        }),
      ),
    }),
    { description: "Where there is none: an entity to begin with." },
  ),
});

export const registrationAnswer = Type.Object({
  location: locationSchema,
  entities: Type.Array(entitySchema, {
    description:
      "Those that were taken in; none where a worker does that, which it does for more than 2,000.",
  }),
  exists: Type.Boolean({ description: "The location is registered already." }),
});

export const locationParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
