import { Type } from "typebox";

export const mcpMessage = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Optional(
    Type.Union([
      Type.String({ maxLength: 512 }),
      Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ]),
  ),
  method: Type.String({ minLength: 1, maxLength: 256 }),
  params: Type.Optional(Type.Object({}, { additionalProperties: true })),
});

export const mcpAnswer = Type.Object({ jsonrpc: Type.Literal("2.0") }, { additionalProperties: true });

const texts = Type.Array(Type.String());

export const protectedResource = Type.Object({
  resource: Type.String(),
  resource_name: Type.String(),
  authorization_servers: texts,
  scopes_supported: texts,
  bearer_methods_supported: texts,
});

export const authorizationServer = Type.Object({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  registration_endpoint: Type.String(),
  jwks_uri: Type.String(),
  scopes_supported: texts,
  response_types_supported: texts,
  response_modes_supported: texts,
  grant_types_supported: texts,
  code_challenge_methods_supported: texts,
  token_endpoint_auth_methods_supported: texts,
  authorization_response_iss_parameter_supported: Type.Boolean(),
  subject_types_supported: texts,
  id_token_signing_alg_values_supported: texts,
});

/** Checked by hand, since the answer is an error of OAuth. */
export const clientToRegister = Type.Object(
  { redirect_uris: Type.Optional(Type.Unknown()), client_name: Type.Optional(Type.Unknown()) },
  { additionalProperties: true },
);

export const registeredClient = Type.Object({
  client_id: Type.String(),
  client_name: Type.Optional(Type.String()),
  redirect_uris: texts,
  grant_types: texts,
  response_types: texts,
  token_endpoint_auth_method: Type.String(),
  scope: Type.String(),
});

export const oauthError = Type.Object({ error: Type.String(), error_description: Type.String() });

const parameter = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

export const signInRequest = Type.Object({
  client_id: parameter(512),
  redirect_uri: parameter(2048),
  response_type: parameter(64),
  code_challenge: parameter(128),
  code_challenge_method: parameter(16),
  state: parameter(1024),
  scope: parameter(1024),
  resource: parameter(2048),
});

export const signInAnswer = Type.Object({
  state: parameter(8192),
  code: parameter(4096),
  iss: parameter(2048),
  error: parameter(128),
  error_description: parameter(1024),
});

export const tokenAnswer = Type.Object({
  access_token: Type.String(),
  token_type: Type.Optional(Type.String()),
  expires_in: Type.Optional(Type.Number()),
  refresh_token: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
});
