/** Wire shape of an access request. */
import { Type, type Static } from "typebox";

/** In bytes too: with its component it has to fit into an index entry of the database. */
export const longestIdentity = 400;

const identifier = Type.String({ minLength: 1, maxLength: 512 });

export const accessRequestBody = Type.Object({
  dataProductUrn: identifier,
  outputPortId: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "Number of the port in the caller's own books; it is passed on, not used.",
  }),
  outputPortUrn: Type.String({
    minLength: 1,
    maxLength: 512,
    description: "Id of the component or subcomponent.",
  }),
  requestId: Type.String({
    minLength: 1,
    maxLength: 256,
    description: "The same request under the same id is carried out once.",
  }),
  identities: Type.Array(Type.String({ minLength: 1, maxLength: longestIdentity }), {
    maxItems: 10_000,
    description: "Everybody who shall have access, as user:… and group:…; an empty list revokes all.",
  }),
  environment: Type.String({ minLength: 1, maxLength: 128, description: "A configured environment." }),
  accessControlFields: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: "Passed on to the adapter." }),
  ),
});
export type AccessRequestBody = Static<typeof accessRequestBody>;
