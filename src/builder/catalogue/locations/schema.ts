import { Type } from "typebox";
import { OneOf } from "../../../platform/http/schema.ts";
import { entitySchema } from "../reading/schema.ts";
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
});

export const registrationAnswer = Type.Object({
  location: locationSchema,
  entities: Type.Array(entitySchema),
  exists: Type.Boolean({ description: "The location is registered already." }),
});

export const locationParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
