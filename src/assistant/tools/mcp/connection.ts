/** One connection to one server, as one caller. */
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type jsonSchemaValidator,
  type Transport,
  type AuthProvider,
} from "@modelcontextprotocol/client";
import type { McpServerSettings } from "../../../platform/config/schema/schema-mcp.ts";
import { rightsOf, type Actor } from "../../../platform/lib/actor.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { createSentSecrets, secretsIn, type SentSecrets } from "../../../platform/outbound/sent-secrets.ts";
import type { OfferedTool } from "./fingerprint.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { createProgram } from "./stdio.ts";
import { SignJWT } from "jose";
import { newId } from "../../../platform/lib/ids.ts";

export interface ConnectionDeps {
  outbound: Outbound;
  log: Logger;
  now: () => Date;
  /** Issuer of the tokens that tell servers who the user is. */
  issuer: string;
}

export interface ConnectionOptions extends ConnectionDeps {
  server: McpServerSettings;
  actor: Actor;
  /** Speaks the older protocol without trying the present one first. */
  isOlder: boolean;
  /** Called when the connection has ended, whichever side ended it. */
  onClose: (error: Error | null) => void;
  onToolsChanged: () => void;
}

export interface Connection {
  /** The revision of the protocol. */
  protocol: string;
  listTools(): Promise<OfferedTool[]>;
  callTool(
    name: string,
    given: Record<string, unknown>,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<CallToolResult>;
  /** Closes it when its calls have ended, at the latest when they must have. */
  retire(): void;
  close(): Promise<void>;
}

/** Schemas of servers are not compiled: a hostile pattern could keep the process busy for ever. */
const uncheckedOutput: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

const version = "0.1.0";

/** Connects within the server's connect timeout. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { server, isOlder, onClose, onToolsChanged } = options;
  const timeout = server.connectTimeoutMs;
  let failure: Error | null = null;
  const client = new Client(
    { name: "plinth", version },
    {
      jsonSchemaValidator: uncheckedOutput,
      versionNegotiation: { mode: isOlder ? "legacy" : "auto" },
      listChanged: { tools: { autoRefresh: false, onChanged: onToolsChanged } },
    },
  );
  const end = (error: Error): void => {
    failure ??= error;
    void client.close();
  };
  Object.assign(client, {
    onclose: () => onClose(failure),
    onerror: (error: Error) =>
      options.log.debug({ server: server.name, reason: error.message }, "MCP server"),
  });
  const transport = createTransport(options, end);
  try {
    await withinTime(client.connect(transport, { timeout }), timeout);
  } catch (error) {
    await client.close();
    await transport.close();
    throw failure ?? error;
  }
  let calls = 0;
  let isRetired = false;
  return {
    protocol: client.getNegotiatedProtocolVersion() ?? "",
    async listTools() {
      const { tools } = await withinTime(client.listTools({}, { timeout, cacheMode: "refresh" }), timeout);
      return tools.map(({ name, description = "", inputSchema, annotations = {} }) => ({
        name,
        description,
        inputSchema,
        annotations,
      }));
    },
    async callTool(name, given, { signal, timeoutMs }) {
      calls += 1;
      try {
        return await client.callTool({ name, arguments: given }, { signal, timeout: timeoutMs });
      } catch (error) {
        throw failure ?? error;
      } finally {
        calls -= 1;
        if (isRetired && calls === 0) void client.close();
      }
    },
    retire() {
      if (isRetired) return;
      isRetired = true;
      if (calls === 0) void client.close();
      else setTimeout(() => void client.close(), server.callTimeoutMs).unref();
    },
    close: () => client.close(),
  };
}

function createTransport(options: ConnectionOptions, end: (error: Error) => void): Transport {
  const { server, outbound, log, now, issuer, actor } = options;
  const sent = secretsOf(server);
  if (server.transport === "stdio") {
    const { command = "", args, cwd, env = {}, maxAnswerBytes, name } = server;
    return createProgram({
      command,
      args,
      cwd,
      env,
      mask: sent.mask(),
      maxMessageBytes: maxAnswerBytes,
      onLine: (line) => log.debug({ server: name, line }, "output of an MCP server"),
    });
  }
  const url = new URL(server.url ?? "");
  const authProvider = createCredentials(server, actor, { outbound, issuer, now });
  const init = {
    fetch: createGuardedFetch(outbound, {
      timeoutMs: Math.max(server.callTimeoutMs, server.connectTimeoutMs),
      maxBytes: server.maxAnswerBytes,
      onExceeded: end,
      sent,
    }),
    requestInit: { headers: server.headers ?? {} },
    ...(authProvider === undefined ? {} : { authProvider }),
  };
  if (server.transport === "sse") return new SSEClientTransport(url, init);
  const reconnectionOptions = {
    initialReconnectionDelay: 1_000,
    maxReconnectionDelay: 30_000,
    reconnectionDelayGrowFactor: 2,
    maxRetries: 2,
  };
  return new StreamableHTTPClientTransport(url, { ...init, reconnectionOptions });
}

/** Secrets of the configuration are masked from the beginning: a server may know them from an earlier connection. */
const secretsOf = ({
  token,
  clientCredentials,
  userIdentity,
  headers,
  env,
}: McpServerSettings): SentSecrets =>
  createSentSecrets([
    ...[token, clientCredentials?.clientSecret, userIdentity?.secret].filter(
      (secret) => secret !== undefined,
    ),
    ...secretsIn({ headers: { ...headers } }),
    ...secretsIn({ headers: { ...env } }),
  ]);

/** The SDK's own timeout is per message; this one covers the whole work. */
async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`The server did not answer within ${ms} ms.`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

// The bearer tokens that servers are called with.

interface CredentialsOptions {
  outbound: Outbound;
  /** Issuer of identity tokens. */
  issuer: string;
  now: () => Date;
}

/** The token of a caller, as the server is configured; undefined when it takes none. */
function createCredentials(
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
  return new SignJWT(rightsOf(actor))
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
