/** Wire shapes of the feed of accepted descriptors. */
import { Type, type Static } from "typebox";

/** The most that one page may hold. */
export const mostDescriptors = 100;

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
      `At most ${mostDescriptors} come in one answer. ` +
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
