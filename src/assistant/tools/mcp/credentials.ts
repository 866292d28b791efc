/** The bearer tokens that servers are called with. */
import type { AuthProvider } from "@modelcontextprotocol/client";
import { SignJWT } from "jose";
import type { McpServerSettings } from "../../../platform/config/schema/schema-mcp.ts";
import type { Actor } from "../../../platform/lib/actor.ts";
import { newId } from "../../../platform/lib/ids.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";

interface CredentialsOptions {
  outbound: Outbound;
  /** Issuer of identity tokens. */
  issuer: string;
  now: () => Date;
}

/** The token of a caller, as the server is configured; undefined when it takes none. */
export function createCredentials(
  server: McpServerSettings,
  actor: Actor,
  options: CredentialsOptions,
): AuthProvider | undefined {
  const { token, clientCredentials, userIdentity } = server;
  if (token !== undefined) return { token: async () => token };
  if (clientCredentials !== undefined) return grantedTokens(clientCredentials, options);
  if (userIdentity === undefined) return undefined;
  const { secret, audience = server.name } = userIdentity;
  return { token: () => identityToken(actor, { secret, audience, ...options }) };
}

const identitySeconds = 60;

/** Tells a server who the user is and which roles they have; short-lived and valid for this server only. */
async function identityToken(
  actor: Actor,
  { secret, audience, issuer, now }: { secret: string; audience: string; issuer: string; now: () => Date },
): Promise<string> {
  const at = Math.floor(now().getTime() / 1_000);
  return new SignJWT({ roles: [...actor.roles] })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(issuer)
    .setSubject(actor.ref)
    .setAudience(audience)
    .setJti(newId())
    .setIssuedAt(at)
    .setExpirationTime(at + identitySeconds)
    .sign(new TextEncoder().encode(secret));
}

type Grant = NonNullable<McpServerSettings["clientCredentials"]>;

const grantTimeoutMs = 10_000;
const longestGrant = 65_536;
/** A token is replaced this long before it expires. */
const renewBeforeMs = 30_000;

/** Tokens of an authorisation server, cached until shortly before they expire or until the MCP server refuses one. */
function grantedTokens(grant: Grant, { outbound, now }: CredentialsOptions): AuthProvider {
  let cached: { token: string; renewAt: number } | null = null;
  let pending: Promise<string> | null = null;
  const requestToken = async (): Promise<string> => {
    const answer = await outbound.request({
      method: "POST",
      url: grant.tokenUrl,
      timeoutMs: grantTimeoutMs,
      maxResponseBytes: longestGrant,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
        authorization: `Basic ${Buffer.from(`${encodeURIComponent(grant.clientId)}:${encodeURIComponent(grant.clientSecret)}`).toString("base64")}`,
      },
      body: new URLSearchParams({
        grant_type: "client_credentials",
        ...(grant.scope === undefined ? {} : { scope: grant.scope }),
      }).toString(),
    });
    if (answer.status !== 200)
      throw new Error(`The authorisation server of this MCP server answered ${answer.status}.`);
    const { access_token: token, expires_in: seconds } = parseGrant(answer.body.toString("utf8"));
    if (typeof token !== "string" || token === "")
      throw new Error("The authorisation server of this MCP server gave no token.");
    const livesMs = typeof seconds === "number" ? seconds * 1_000 : 300_000;
    cached = { token, renewAt: now().getTime() + Math.max(livesMs - renewBeforeMs, livesMs / 2) };
    return token;
  };
  return {
    async token() {
      if (cached !== null && now().getTime() < cached.renewAt) return cached.token;
      pending ??= requestToken().finally(() => (pending = null));
      return pending;
    },
    async onUnauthorized() {
      cached = null;
    },
  };
}

/** Errors of the JSON parser repeat a part of the text, which may be the secret: they are replaced. */
function parseGrant(text: string): { access_token?: unknown; expires_in?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Thrown below.
  }
  throw new Error("The authorisation server of this MCP server did not answer with a JSON object.");
}
