/** A real OpenID Connect provider on this machine, with which people sign in by its own pages. */
import type { RequestListener } from "node:http";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { Provider } from "oidc-provider";
import { startHttpPeer } from "../http-peer.ts";

export interface IdentityProvider {
  /** Also the address that it listens on. */
  issuer: string;
  /** Requests so far, as `METHOD path`. */
  requests: string[];
  /** Signed with its key; the claims win over those of a token that it would issue. */
  sign(claims: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export interface IdentityProviderOptions {
  /** Whether clients may register themselves. */
  registration: boolean;
  /** A public client that it knows. */
  client?: { id: string; redirectUri: string };
  /** How long its access tokens live. */
  tokenSeconds?: number;
}

/** Starts one that issues JWTs for any resource that a client names, with the scopes `openid` and `platform`. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const requests: string[] = [];
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const peer = await startHttpPeer((request, response) => {
    requests.push(`${request.method} ${request.url?.split("?")[0]}`);
    answer(request, response);
  });
  const jwk = { ...(await exportJWK(privateKey)), kid: "signing", use: "sig", alg: "RS256" };
  answer = new Provider(peer.url, configurationOf(options, jwk)).callback();
  return {
    issuer: peer.url,
    requests,
    sign: (claims) => signAs(privateKey, { iss: peer.url, sub: "ada", ...claims }),
    close: () => peer.close(),
  };
}

const signAs = (key: CryptoKey, { expiresIn = 300, ...claims }: Record<string, unknown>): Promise<string> => {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({ iat: now - 600, exp: now + Number(expiresIn), ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "signing" })
    .sign(key);
};

const configurationOf = (
  { registration, client, tokenSeconds = 600 }: IdentityProviderOptions,
  jwk: object,
): object => ({
  jwks: { keys: [jwk] },
  cookies: { keys: ["of the test"] },
  scopes: ["openid", "offline_access", "platform"],
  pkce: { required: () => true },
  clients: client === undefined ? [] : [publicClient(client)],
  // Whoever signs in by that name is there.
  findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  extraTokenClaims: () => ({ roles: ["developer"] }),
  issueRefreshToken: (_ctx: unknown, asking: { grantTypeAllowed(type: string): boolean }) =>
    asking.grantTypeAllowed("refresh_token"),
  ttl: {
    AccessToken: tokenSeconds,
    IdToken: 600,
    Grant: 3_600,
    Session: 3_600,
    Interaction: 600,
    RefreshToken: 3_600,
  },
  features: {
    registration: { enabled: registration },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx: unknown, resource: string) => ({
        scope: "platform",
        audience: resource,
        accessTokenFormat: "jwt",
        accessTokenTTL: tokenSeconds,
        jwt: { sign: { alg: "RS256" } },
      }),
    },
  },
});

const publicClient = ({ id, redirectUri }: { id: string; redirectUri: string }) => ({
  client_id: id,
  token_endpoint_auth_method: "none",
  application_type: "native",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  redirect_uris: [redirectUri],
});
