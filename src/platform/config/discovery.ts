/** Where an identity provider describes itself, below its issuer (OpenID Connect Discovery 1.0). */
export const discoveryPath = "/.well-known/openid-configuration";
