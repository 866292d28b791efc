/** Wire shapes of the operations that newer ones replace. */
import { Type, type Static } from "typebox";
import { descriptorLimits } from "../descriptor/limits.ts";

export const descriptorWrapper = Type.Object({
  descriptor: Type.String({
    minLength: 1,
    maxLength: descriptorLimits.characters,
    description: "YAML of the deployment unit, which names its environment.",
  }),
  removeData: Type.Boolean({ default: false }),
});
export type DescriptorWrapper = Static<typeof descriptorWrapper>;

const byComponent = (description: string) =>
  Type.Object({}, { additionalProperties: true, description: `${description}, by component id.` });

export const legacyStatus = Type.Object({
  status: Type.Enum(["RUNNING", "COMPLETED", "FAILED", "TERMINATING", "TERMINATED"]),
  result: Type.String({ description: "Why it failed; otherwise what its only task returned, or nothing." }),
  info: Type.Object({
    publicInfo: byComponent("What the adapters returned for everybody"),
    privateInfo: byComponent("What the adapters returned for the platform"),
  }),
});
