import { createServer } from "node:http";
import { afterAll } from "vitest";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";
import type { AuthSettings } from "../config/schema/schema-auth.ts";
import type { Failure } from "../errors/failure.ts";
import { Failure as FailureClass } from "../errors/failure.ts";
import { silentLogger } from "../lib/logger.ts";
import { createAuthenticator, type Authenticate, type AuthenticatorOptions } from "./authenticator.ts";

export const local = { loopback: true };
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** What was thrown or rejected; fails when nothing was. */
export async function failureOf(act: () => unknown): Promise<Failure> {
  try {
    await act();
  } catch (error) {
    if (error instanceof FailureClass) return error;
    throw error;
  }
  throw new Error("expected a Failure");
}

export interface Signer {
  privateKey: CryptoKey;
  jwk: JWK;
}

export async function makeSigner(kid: string | undefined, alg = "ES256"): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), ...(kid && { kid }), alg, use: "sig" } };
}

export interface TokenOverrides {
  claims?: Record<string, unknown>;
  header?: { alg?: string; kid?: string };
  /** Seconds from now; null leaves `exp` out. */
  expiresIn?: number | null;
}

/** A valid token, apart from the given overrides. */
export async function sign(
  key: CryptoKey | Uint8Array,
  { claims = {}, header = {}, expiresIn = 300 }: TokenOverrides,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const token = new SignJWT({ sub: "ada", iat: now, ...claims }).setProtectedHeader({
    alg: "ES256",
    ...header,
  });
  if (expiresIn !== null) token.setExpirationTime(now + expiresIn);
  return token.sign(key);
}

/** A real identity provider: discovery and keys over HTTP, and switches to make it misbehave. */
export interface KeyServer {
  url: string;
  keys: JWK[];
  /** When set, every answer has this status. */
  status: number | undefined;
  /** When set, replaces the discovery document. */
  discovery: unknown;
  requests: string[];
  close(): Promise<void>;
}

const running: KeyServer[] = [];

export async function startKeyServer(): Promise<KeyServer> {
  const state = {
    keys: [] as JWK[],
    status: undefined as number | undefined,
    discovery: undefined as unknown,
  };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const documents: Record<string, unknown> = {
      "/keys": { keys: state.keys },
      "/.well-known/openid-configuration": state.discovery ?? {
        issuer: handle.url,
        jwks_uri: `${handle.url}/keys`,
      },
    };
    const body = documents[request.url ?? ""];
    response.statusCode = state.status ?? (body === undefined ? 404 : 200);
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const handle: KeyServer = Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  running.push(handle);
  return handle;
}

afterAll(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

export async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

type Providers = {
  [P in keyof AuthSettings["providers"]]: NonNullable<AuthSettings["providers"][P]>[string];
};

/** An authenticator of a production server that has these providers. */
export const authenticatorWith = (
  providers: Providers,
  more: Partial<AuthenticatorOptions> = {},
): Authenticate =>
  createAuthenticator({
    auth: {
      environment: "default",
      providers: Object.fromEntries(
        Object.entries(providers).map(([name, settings]) => [name, { default: settings }]),
      ),
    },
    mode: "production",
    loopbackOnly: false,
    log: silentLogger,
    fetchJson,
    ...more,
  });
