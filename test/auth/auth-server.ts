/** A whole server with an identity provider, whose people and programs make tokens. */
import { startIdentityProvider, type IdentityProvider } from "../support/identity-provider/server.ts";
import {
  send,
  startWholeServer,
  tokenOf,
  type Answer,
  type TestRole,
  type WholeServer,
} from "../support/server.ts";
import type { Config } from "../../src/platform/config/schema/schema.ts";
import type { TestDatabase } from "../support/database.ts";

export interface AuthServer extends WholeServer {
  provider: IdentityProvider;
  /** Calls an operation below /api/auth with a bearer token. */
  auth(bearer: string | null, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Any operation. */
  call(bearer: string | null, method: string, path: string, body?: unknown): Promise<Answer>;
  /** A JWT of a person, as the identity provider issues it. */
  signIn(subject: string, roles: TestRole[], issuedSecondsAgo?: number): Promise<string>;
}

export const audience = "plinth";

export interface AuthServerOptions {
  configure?: (config: Config) => void;
  /** Of another server of the same installation. */
  beside?: { provider: IdentityProvider; db: TestDatabase };
}

export async function startAuthServer({ configure, beside }: AuthServerOptions = {}): Promise<AuthServer> {
  const provider = beside?.provider ?? (await startIdentityProvider({ registration: true }));
  const server = await startWholeServer({
    workers: "off",
    ...(beside && { db: beside.db }),
    configure(config) {
      const oidc = { issuer: provider.issuer, audience, rolesClaim: "roles", defaultRoles: [] };
      config.auth.providers = { ...config.auth.providers, oidc: { default: oidc } };
      configure?.(config);
    },
  });
  const call: AuthServer["call"] = (bearer, method, path, body) =>
    send(server.url, {
      method,
      path,
      body,
      as: null,
      ...(bearer !== null && { headers: { authorization: `Bearer ${bearer}` } }),
    });
  return {
    ...server,
    provider,
    call,
    auth: (bearer, method, path, body) => call(bearer, method, `/api/auth${path}`, body),
    signIn: (subject, roles, issuedSecondsAgo = 0) =>
      provider.sign({
        sub: subject,
        aud: audience,
        roles,
        iat: Math.floor(Date.now() / 1_000) - issuedSecondsAgo,
        // Tokens of one second would otherwise be the same.
        jti: crypto.randomUUID(),
      }),
    async close() {
      await server.close();
      if (beside === undefined) await provider.close();
    },
  };
}

/** One operation of each kind, for a look at what a token is allowed. */
export const readsPlans = ["GET", "/api/coordinator/v1/environments"] as const;
export const readsPolicies = ["GET", "/v1/computational-governance/policies"] as const;
export const readsAccounts = ["GET", "/api/auth/v1/service-accounts"] as const;

export { tokenOf };
