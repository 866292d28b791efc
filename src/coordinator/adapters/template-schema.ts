/** Wire shape of the registration of a template. */
import { Type, type Static } from "typebox";
import { infraTemplateProperties } from "./schema.ts";

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

export const templateBody = Type.Object({
  id: text(512, "Identifier of the template."),
  name: text(255, "Name for people."),
  description: Type.String({ maxLength: 4096 }),
  version: text(64, "For display only."),
  infrastructureIdRef: Type.Optional(
    text(512, "Infrastructure template whose adapter is meant; the template's own id when left out."),
  ),
  url: Type.Optional(text(2048, "Address of the adapter; makes its deployment in the environment.")),
  environment: Type.Optional(text(128, "A configured environment.")),
  properties: Type.Optional(infraTemplateProperties),
});
export type TemplateBody = Static<typeof templateBody>;
