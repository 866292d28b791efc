/** Wire shapes of the configurations of models. */
import { Type, type Static } from "typebox";
import { Nullable, OneOf } from "../../platform/http/schema.ts";
import { providerNames } from "./providers.ts";

const optional = (maxLength: number, description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength, description })));

export const modelBody = Type.Object({
  provider: Type.Optional(
    Nullable(OneOf(["", ...providerNames], { description: "Empty or null: no model is configured." })),
  ),
  endpoint: optional(2_048, "Base address; empty for the provider's own."),
  api_key: optional(
    10_000,
    "Kept under the installation's key. The mask or null keeps the one that is stored, as long as provider, endpoint and " +
      "deployment stay the same.",
  ),
  deployment: optional(255, "Of Azure OpenAI."),
  api_version: optional(64, "Of Azure OpenAI; empty or v1 for its unversioned addresses."),
  model: optional(255, "As the provider names it."),
  custom_header: optional(
    20_000,
    "Lines of `Name: value`, or a JSON object of texts. The mask for a value keeps it like the key.",
  ),
});
export type ModelBody = Static<typeof modelBody>;

const fields = {
  provider: Type.String(),
  endpoint: Type.String(),
  api_key: Type.String({ description: "Masked; empty when there is none." }),
  deployment: Type.String(),
  api_version: Type.String(),
  model: Type.String(),
  custom_header: Type.String({ description: "Values that may be secrets are masked." }),
};

export const modelAnswer = Type.Object(fields);
export type ModelAnswer = Static<typeof modelAnswer>;

export const probeResult = Type.Object({
  outcome: Type.Enum(["ok", "failed", "skipped"]),
  reason: Type.String({ description: "One word; empty when it went well." }),
  message: Type.String(),
  checked_at: Type.String(),
});
export type ProbeResult = Static<typeof probeResult>;

const withProbe = {
  ...fields,
  probe: Type.Union([probeResult, Type.Null()], { description: "What the call at the last save has found." }),
};
export const modelWithProbe = Type.Object(withProbe);
export type ModelWithProbe = Static<typeof modelWithProbe>;

export const embedderWithProbe = Type.Object({
  ...withProbe,
  agreement: Nullable(
    Type.Number({
      description:
        "How well its vectors agree with the words of passages, from 0 to 1: below 0.3 they only follow what words find, from 0.6 " +
        "on they count as much. Measured once all passages have vectors; null until then.",
    }),
  ),
});
export type EmbedderWithProbe = Static<typeof embedderWithProbe>;
