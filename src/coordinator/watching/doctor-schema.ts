import { Type, type Static } from "typebox";
import { outcomes } from "../../platform/lib/check.ts";

export const doctorReport = Type.Object({
  outcome: Type.Enum(["ok", "warning", "problem"], { description: "The worst of all checks." }),
  at: Type.String({ format: "date-time", description: "When the checks began." }),
  version: Type.String({ description: "Of the program that made them." }),
  checks: Type.Array(
    Type.Object({
      name: Type.String(),
      outcome: Type.Enum([...outcomes], {
        description:
          "`warning`: somebody should look at it some time; `problem`: now; `skipped`: it needs what another check has found missing.",
      }),
      found: Type.String({ description: "What was found, for people." }),
      advice: Type.Union([Type.String(), Type.Null()], {
        description: "What to do, for people; null where nothing is to be done.",
      }),
      guide: Type.String({ description: "The page, and its section, of the documentation that says more." }),
      ms: Type.Integer({ description: "How long the check took, in milliseconds." }),
    }),
  ),
});

export type DoctorView = Static<typeof doctorReport>;
