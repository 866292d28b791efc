/** Settings of the platform: server, logs, databases, and outbound calls. */
import { Type } from "typebox";
import { count, httpUrl, section, text } from "./schema-parts.ts";

export const server = section(
  {
    host: text("Address to listen on.", { default: "127.0.0.1", maxLength: 255 }),
    port: Type.Integer({ minimum: 0, maximum: 65535, default: 7007, description: "0 picks a free port." }),
    baseUrl: Type.Optional(httpUrl("Address under which others reach this server.")),
    bodyLimitBytes: count(10_485_760, "Maximum size of a JSON request body."),
    shutdownGraceMs: count(
      8_000,
      "How long a stop waits for running requests; for calls of adapters a quarter of it. 1.5 s later (3.5 s after the signal " +
        "at least) the process has ended, even if something hangs.",
      {
        minimum: 0,
      },
    ),
    rateLimitPerMinute: count(6000, "Requests per minute and caller, at all processes together."),
    trustProxy: Type.Boolean({
      default: false,
      description:
        "Whether X-Forwarded-* headers are believed. The proxy has to replace them: the first address of X-Forwarded-For is taken for the client's.",
    }),
    workersListen: Type.Boolean({
      default: false,
      description:
        "Whether a process of workers only (`--workers only`) listens too, for `/healthz`, `/readyz` and `/metrics` alone.",
    }),
    requestIdleMs: count(
      30_000,
      "Time limit for a request's headers, and for each 32 KiB of its body. A whole request may take five minutes.",
      { minimum: 1_000, maximum: 300_000 },
    ),
    hsts: section(
      {
        maxAgeSeconds: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 1_000_000_000,
            description:
              "The `max-age` of the header: how long browsers use only HTTPS. Without it the header is not sent; 0 makes browsers forget it.",
          }),
        ),
        includeSubDomains: Type.Boolean({
          default: false,
          description: "Whether that goes for all names below that of this server too.",
        }),
      },
      "The header Strict-Transport-Security, for a server behind a proxy that ends TLS.",
    ),
    admission: section(
      {
        activeRequests: count(
          4,
          "Requests that are always processed at the same time; more only while neither the event loop nor the database has a queue.",
        ),
        queueMs: count(
          100,
          "How long a request may have to wait to be accepted, once requests have been waiting all the time for 4 times as long; otherwise the answer is 503.",
        ),
        queuedRequests: count(1000, "Maximum number of waiting requests; further ones are answered 503."),
      },
      "Which requests are processed, wait, or are refused in an overload.",
    ),
  },
  "The HTTP server.",
);

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

export const log = section(
  {
    level: Type.Enum(logLevels, {
      default: "info",
      description: "Lowest severity that is written.",
      "x-reload": true,
    }),
    pretty: Type.Boolean({ default: false, description: "Lines for people instead of JSON." }),
  },
  "Logs.",
);

export const audit = section(
  {
    sealEveryMs: count(
      1_000,
      "How often a worker looks for rows of the audit that are not sealed yet; ten times as seldom after a while without any.",
      { minimum: 50, maximum: 600_000 },
    ),
    verifiedRows: count(20_000, "Rows that one request verifies at most; the next one continues there.", {
      maximum: 200_000,
    }),
  },
  "The audit: who did what.",
);

export const metrics = section(
  {
    databaseEveryMs: count(
      5_000,
      "For how long numbers that were read from a database are shown; then the next request of `/metrics` has them read again.",
      { minimum: 100 },
    ),
    databaseWaitMs: count(
      2_000,
      "How long `/metrics` waits for a database; then it answers without that one's numbers, and `plinth_metrics_source_up` says so.",
      { maximum: 30_000 },
    ),
    adapters: count(
      100,
      "Adapters, external services, actions of templates and models that metrics tell apart, of each kind; the rest has the label `other`.",
      { maximum: 1_000 },
    ),
  },
  "What `/metrics` shows.",
);

const variableOf =
  (owner: string) =>
  (name: string, fallback?: string): Record<string, unknown> => ({
    "x-env": `${owner}_DB_${name}`,
    "x-empty": "unset",
    ...(fallback && { "x-env-fallback": fallback }),
  });
const databaseVariable = variableOf("COORDINATOR");
const governanceVariable = variableOf("CGP");

const schemaName = { maxLength: 63, pattern: "^(?!pg_)[^\\u0000]*$" };
const schemaWords = "a schema name that does not start with pg_";
const newSchema =
  "The schema's name once more, to install into it while it is empty and another schema of the database " +
  "holds Plinth's tables; such a start is refused otherwise.";

/** What is not given is as for the coordinator. */
const governanceDatabase = section(
  {
    host: Type.Optional(
      text("PostgreSQL host.", { maxLength: 255, ...governanceVariable("HOST", "PLATFORM_DB_HOST") }),
    ),
    port: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65535,
        description: "PostgreSQL port.",
        ...governanceVariable("PORT", "PLATFORM_DB_PORT"),
      }),
    ),
    user: Type.Optional(text("User name.", governanceVariable("USERNAME", "PLATFORM_DB_USERNAME"))),
    password: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: "Password.",
        "x-secret": true,
        "x-reload": true,
        ...governanceVariable("PASSWORD", "PLATFORM_DB_PASSWORD"),
      }),
    ),
    dbname: Type.Optional(text("Database.", { maxLength: 63, ...governanceVariable("DBNAME") })),
    schema: text("Schema.", {
      default: "coordinator",
      ...schemaName,
      "x-expects": schemaWords,
      ...governanceVariable("SCHEMA"),
    }),
    newSchema: Type.Optional(text(newSchema, { maxLength: 63, ...governanceVariable("NEW_SCHEMA") })),
  },
  "The database of governance. What is not given is as for the coordinator.",
);

export const database = section(
  {
    coordinator: section(
      {
        host: Type.Optional(
          text("PostgreSQL host. Without one the embedded database is used.", {
            maxLength: 255,
            ...databaseVariable("HOST", "PLATFORM_DB_HOST"),
          }),
        ),
        port: Type.Integer({
          minimum: 1,
          maximum: 65535,
          default: 5432,
          description: "PostgreSQL port.",
          ...databaseVariable("PORT", "PLATFORM_DB_PORT"),
        }),
        user: text("User name.", {
          default: "postgres",
          ...databaseVariable("USERNAME", "PLATFORM_DB_USERNAME"),
        }),
        password: Type.String({
          default: "",
          maxLength: 4096,
          description: "Password.",
          "x-secret": true,
          "x-reload": true,
          ...databaseVariable("PASSWORD", "PLATFORM_DB_PASSWORD"),
        }),
        dbname: text("Database.", {
          default: "provisioning_coordinator",
          maxLength: 63,
          ...databaseVariable("DBNAME"),
        }),
        schema: text("Schema.", {
          default: "cgp",
          ...schemaName,
          "x-expects": schemaWords,
          ...databaseVariable("SCHEMA"),
        }),
        newSchema: Type.Optional(text(newSchema, { maxLength: 63, ...databaseVariable("NEW_SCHEMA") })),
      },
      "The database of the coordinator.",
    ),
    governance: governanceDatabase,
  },
  "Databases.",
);

const hostPattern = text("Host name; `*` stands for any characters.", {
  maxLength: 253,
  pattern: "^[A-Za-z0-9*._:\\[\\]-]+$",
  "x-expects": "a host name or address, with * as a wildcard, without scheme or path",
});

/** Defaults: addresses that operators configure may be private, addresses that others can name may not. */
export const privateNetworksByDefault = {
  adapters: true,
  models: true,
  mcpServers: true,
  agents: true,
  services: true,
  webhooks: true,
  notices: true,
  issuers: true,
  integrations: true,
  agentCards: false,
  hooks: false,
  templates: false,
  locations: false,
} as const;

/** What calls are made for; each purpose has an outbound client of its own. */
export type OutboundPurpose = keyof typeof privateNetworksByDefault;

const called: Record<OutboundPurpose, string> = {
  adapters: "Tech adapters",
  models: "Models and the embedder",
  mcpServers: "MCP servers, and where their tokens are granted",
  agents: "External agents",
  services: "External services of plans and of access",
  webhooks: "Webhooks",
  notices: "The mail server and the chats of notices",
  issuers: "Key sets of token issuers",
  integrations: "Git hosts of `integrations`, their interfaces and their repositories",
  agentCards: "Addresses that the card of an external agent names, of another origin than the agent's own",
  hooks: "Third parties of hooks",
  templates: "What steps of templates fetch and publish to, except hosts of `integrations`",
  locations:
    "Locations of the catalogue and what they lead to, except repositories at hosts of `integrations`",
};

const privateSetting = (purpose: OutboundPurpose) =>
  Type.Optional(
    Type.Boolean({
      description: `${called[purpose]}. Not given: ${privateNetworksByDefault[purpose] ? "true" : "false"}.`,
    }),
  );

const privateNetworks = section(
  {
    adapters: privateSetting("adapters"),
    models: privateSetting("models"),
    mcpServers: privateSetting("mcpServers"),
    agents: privateSetting("agents"),
    services: privateSetting("services"),
    webhooks: privateSetting("webhooks"),
    notices: privateSetting("notices"),
    issuers: privateSetting("issuers"),
    integrations: privateSetting("integrations"),
    agentCards: privateSetting("agentCards"),
    hooks: privateSetting("hooks"),
    templates: privateSetting("templates"),
    locations: privateSetting("locations"),
  },
  "What may be called in private networks and on this machine; hosts and schemes are checked besides.",
);

export const outbound = section(
  {
    allowedSchemes: Type.Array(Type.Enum(["http", "https"] as const), {
      minItems: 1,
      uniqueItems: true,
      default: ["http", "https"],
      description: "Schemes that calls may use.",
    }),
    allowedHosts: Type.Optional(
      Type.Array(hostPattern, { maxItems: 1000, description: "When given, only these hosts are called." }),
    ),
    blockedHosts: Type.Array(hostPattern, {
      maxItems: 1000,
      default: [],
      description: "Hosts that are never called.",
    }),
    privateNetworks,
    allowPrivateNetworks: Type.Optional(
      Type.Boolean({
        description: "Given, it stands for every setting of `privateNetworks` that is not given.",
      }),
    ),
    maxResponseBytes: count(10_485_760, "Maximum size of a response."),
    timeoutMs: count(30_000, "Time limit of a call, unless the caller sets its own."),
  },
  "Calls to addresses that users can set.",
);
