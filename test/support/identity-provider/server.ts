/** A real OpenID Connect provider on this machine, with which people sign in by its own pages. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { Provider } from "oidc-provider";
import { startHttpPeer } from "../http-peer.ts";

export interface IdentityProvider {
  /** Also the address that it listens on. */
  issuer: string;
  /** Requests so far, as `METHOD path`. */
  requests: string[];
  /** Answers in its place where it returns true; by tests that make it misbehave. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Signed with its key; the claims win over those of a token that it would issue. */
  sign(claims: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export interface IdentityProviderOptions {
  /** Whether clients may register themselves. */
  registration: boolean;
  /** A client that it knows: a public one, unless it has a secret. */
  client?: KnownClient;
  /** Roles in the access tokens that it issues; `developer` unless given. */
  roles?: () => string[];
  /** The id of a client on command lines, and how often it may ask; without it there is no device authorization grant. */
  device?: { clientId: string; intervalSeconds: number; codeSeconds?: number };
  /** Whether it issues refresh tokens to clients that may have them. */
  refreshTokens?: boolean;
  /** How long its access tokens live. */
  tokenSeconds?: number;
}

interface KnownClient {
  id: string;
  redirectUri: string;
  secret?: string;
  /** Where a sign-out may lead. */
  afterSignOut?: string;
}

/** Starts one that issues JWTs for any resource that a client names, with the scopes `openid` and `platform`. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const requests: string[] = [];
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const peer = await startHttpPeer((request, response) => {
    requests.push(`${request.method} ${request.url?.split("?")[0]}`);
    if (!running.intercept(request, response)) answer(request, response);
  });
  const jwk = { ...(await exportJWK(privateKey)), kid: "signing", use: "sig", alg: "RS256" };
  const provider = new Provider(peer.url, configurationOf(options, jwk));
  // It leaves the interval to the standard's five seconds, which would be most of a test's time.
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path === "/device/auth" && options.device !== undefined)
      Object.assign(ctx.body as object, { interval: options.device.intervalSeconds });
  });
  answer = provider.callback();
  const running: IdentityProvider = {
    issuer: peer.url,
    requests,
    intercept: () => false,
    sign: (claims) => signAs(privateKey, { iss: peer.url, sub: "ada", ...claims }),
    close: () => peer.close(),
  };
  return running;
}

const signAs = (key: CryptoKey, { expiresIn = 300, ...claims }: Record<string, unknown>): Promise<string> => {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({ iat: now - 600, exp: now + Number(expiresIn), ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "signing" })
    .sign(key);
};

const configurationOf = (
  {
    registration,
    client,
    device,
    roles = () => ["developer"],
    refreshTokens = true,
    tokenSeconds = 600,
  }: IdentityProviderOptions,
  jwk: object,
): object => ({
  jwks: { keys: [jwk] },
  cookies: { keys: ["of the test"] },
  scopes: ["openid", "offline_access", "platform"],
  pkce: { required: () => true },
  clients: [...(client ? [knownClient(client)] : []), ...(device ? [deviceClient(device.clientId)] : [])],
  // Whoever signs in by that name is there.
  findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  extraTokenClaims: () => ({ roles: roles() }),
  issueRefreshToken: (_ctx: unknown, asking: { grantTypeAllowed(type: string): boolean }) =>
    refreshTokens && asking.grantTypeAllowed("refresh_token"),
  ttl: {
    AccessToken: tokenSeconds,
    DeviceCode: device?.codeSeconds ?? 600,
    IdToken: 600,
    Grant: 3_600,
    Session: 3_600,
    Interaction: 600,
    RefreshToken: 3_600,
  },
  features: {
    registration: { enabled: registration },
    deviceFlow: { enabled: device !== undefined },
    revocation: { enabled: true },
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

const knownClient = ({ id, redirectUri, secret, afterSignOut }: KnownClient) => ({
  client_id: id,
  ...(secret === undefined
    ? { token_endpoint_auth_method: "none" }
    : { token_endpoint_auth_method: "client_secret_basic", client_secret: secret }),
  ...(afterSignOut === undefined ? {} : { post_logout_redirect_uris: [afterSignOut] }),
  application_type: "native",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  redirect_uris: [redirectUri],
});

const deviceClient = (id: string) => ({
  client_id: id,
  token_endpoint_auth_method: "none",
  application_type: "native",
  grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
  response_types: [],
  redirect_uris: [],
});
