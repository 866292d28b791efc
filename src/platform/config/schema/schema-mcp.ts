import { Type, type Static } from "typebox";
import { count, entry, httpUrl, text } from "./schema-parts.ts";

const secret = (description: string) =>
  text(description, { "x-secret": true, "x-reload": true, "x-empty": "unset" });

const values = (description: string, valueDescription: string) =>
  Type.Record(
    Type.String(),
    Type.String({ maxLength: 4096, "x-secret": true, description: valueDescription }),
    { description, "x-reload": true },
  );

const mcpServer = entry(
  {
    name: Type.String({
      pattern: "^[a-z0-9][a-z0-9_-]{0,62}$",
      "x-expects": "at most 63 lower case letters, digits, hyphens and underscores",
      description: "Its name in the ids of its tools, `name:tool`. `platform` and `agents` are taken.",
    }),
    transport: Type.Enum(["http", "sse", "stdio"] as const, {
      default: "http",
      description:
        "`http` is streamable HTTP, `sse` the transport before it; `stdio` starts a program on this machine.",
    }),
    url: Type.Optional(httpUrl("Address of the server, for `http` and `sse`.")),
    command: Type.Optional(text("Program of the server, for `stdio`.")),
    args: Type.Array(Type.String({ maxLength: 4096 }), {
      maxItems: 100,
      default: [],
      description: "Its arguments.",
    }),
    cwd: Type.Optional(text("Folder that it is started in; otherwise that of this process.")),
    env: Type.Optional(
      values(
        "Environment variables of the program. It also gets HOME, PATH and similar ones of this process, and no others.",
        "Value of the variable.",
      ),
    ),
    headers: Type.Optional(values("Headers of every call, for `http` and `sse`.", "Value of the header.")),
    token: Type.Optional(secret("Bearer token of every call.")),
    clientCredentials: Type.Optional(
      entry(
        {
          tokenUrl: httpUrl("Token endpoint of the authorisation server."),
          clientId: text("Id of the client."),
          clientSecret: secret("Secret of the client."),
          scope: Type.Optional(text("Scopes that are asked for.")),
        },
        "Gets bearer tokens by the client credentials grant of OAuth.",
      ),
    ),
    userIdentity: Type.Optional(
      entry(
        {
          secret: secret("Signs the tokens (HS256); the server checks them by it."),
          audience: Type.Optional(text("Audience of the tokens; otherwise the name of the server.")),
        },
        "Tells the server who asks, by a signed token that lives for a minute.",
      ),
    ),
    connectTimeoutMs: count(10_000, "Time limit for connecting and listing the tools.", { maximum: 600_000 }),
    callTimeoutMs: count(60_000, "Time limit of a tool call.", { maximum: 3_600_000 }),
    maxAnswerBytes: count(2_097_152, "Maximum size of an answer; a longer one ends the connection."),
    refreshSeconds: count(60, "How often its tools are listed again.", { minimum: 5 }),
    approveFirst: Type.Boolean({
      default: true,
      description:
        "Whether the tools that it has when it is first seen count as approved. Those that come later, and those that change, " +
        "wait for an approval in any case.",
    }),
  },
  "One MCP server.",
);

export const mcpServers = Type.Array(mcpServer, {
  maxItems: 200,
  default: [],
  description: "MCP servers whose tools agents may use.",
});

export type McpServerSettings = Static<typeof mcpServer>;
