/** Wire shape of a reverse provisioning request. */
import { Type, type Static } from "typebox";

const identifier = Type.String({ minLength: 1, maxLength: 512 });
const anyObject = (description: string) => Type.Object({}, { additionalProperties: true, description });

export const reverseProvisioningBody = Type.Object({
  useCaseTemplateId: identifier,
  infrastructureTemplateIds: Type.Array(identifier, {
    minItems: 1,
    maxItems: 100,
    description: "The first with an enabled deployment in the environment is asked.",
  }),
  environment: Type.String({ minLength: 1, maxLength: 128, description: "A configured environment." }),
  params: Type.Optional(anyObject("What the adapter needs to find the resource.")),
  catalogInfo: Type.Optional(anyObject("The entity that is to be updated.")),
});
export type ReverseProvisioningBody = Static<typeof reverseProvisioningBody>;
