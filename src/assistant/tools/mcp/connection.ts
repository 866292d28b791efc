/** One connection to one server, as one caller. */
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type jsonSchemaValidator,
  type Transport,
} from "@modelcontextprotocol/client";
import type { McpServerSettings } from "../../../platform/config/schema/schema-mcp.ts";
import type { Actor } from "../../../platform/lib/actor.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { createSentSecrets, secretsIn, type SentSecrets } from "../../../platform/outbound/sent-secrets.ts";
import { createCredentials } from "./credentials.ts";
import type { OfferedTool } from "./fingerprint.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { createProgram } from "./stdio.ts";

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
      try {
        return await client.callTool({ name, arguments: given }, { signal, timeout: timeoutMs });
      } catch (error) {
        throw failure ?? error;
      }
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
