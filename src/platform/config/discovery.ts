/**
 * Where an identity provider describes itself, below its issuer (OpenID Connect Discovery 1.0). Apart from the schema, which
 * the bundle does not contain.
 */
export const discoveryPath = "/.well-known/openid-configuration";
