/** Wire shapes of imports. */
import { Type, type Static } from "typebox";
import { uuid } from "../../record-schema.ts";

export const importForm = Type.Object({
  archive: Type.Unsafe<string>({
    type: "string",
    format: "binary",
    description: "A .tar.gz file, as an export has it.",
  }),
});

export const importQuery = Type.Object({
  dry_run: Type.Boolean({ default: false, description: "Checks all and says what would be done." }),
});

export const importAnswer = Type.Object({
  dry_run: Type.Boolean(),
  records: Type.Array(
    Type.Object({
      kind: Type.Enum(["skill", "agent", "external_agent"]),
      path: Type.String({ description: "The file in the archive." }),
      id: uuid(),
      name: Type.String(),
      action: Type.Enum(["created", "updated", "unchanged"]),
    }),
  ),
  notes: Type.Array(Type.String(), { description: "What was left out, and what is still to be done." }),
});
export type ImportAnswer = Static<typeof importAnswer>;
