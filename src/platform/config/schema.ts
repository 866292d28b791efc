import { Type, type Static } from "typebox";
import { assistant } from "./schema-assistant.ts";
import { auth } from "./schema-auth.ts";
import { actionHandlers } from "./schema-hooks.ts";
import { catalogue, instantiations, startupActions } from "./schema-builder.ts";
import {
  count,
  entry,
  environmentName,
  environmentNamePattern,
  environmentNameWords,
  httpUrl,
  section,
  text,
} from "./schema-parts.ts";
import { actions, git, integrations } from "./schema-publishing.ts";
import { drift, webhooks } from "./schema-watching.ts";
import type { JsonSchema } from "./source/schema-paths.ts";

/**
 * The schema of a configuration file: the one place that says which settings exist. The reference page,
 * the environment variable names, the checks, the defaults and the types all come from here.
 *
 * Our own keywords: `x-secret` (never printed), `x-env` (an environment variable whose name is not the usual
 * PLINTH_… one), `x-env-fallback` (read when neither the variable nor a file gives a value), `x-empty` (`unset`:
 * an empty text counts as not given), `x-expects` (what a value must be, in words, when a pattern is not met).
 */
export const customKeywords = ["x-secret", "x-env", "x-env-fallback", "x-empty", "x-expects"] as const;

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** A name or `{name, priority}`; written as one schema with two types so that each mistake gives one message. */
const environmentEntry = Type.Unsafe<string | { name: string; priority: number }>({
  type: ["string", "object"],
  pattern: environmentNamePattern,
  "x-expects": environmentNameWords,
  properties: {
    name: environmentName("Name of the environment."),
    priority: Type.Integer({
      minimum: -1_000_000,
      maximum: 1_000_000,
      description: "Lower comes first; the lowest number is the highest priority.",
    }),
  },
  required: ["name", "priority"],
  additionalProperties: false,
  description: "A name, or `{name, priority}`.",
});

const databaseVariable = (name: string, fallback?: string) => ({
  "x-env": `COORDINATOR_DB_${name}`,
  "x-empty": "unset",
  ...(fallback && { "x-env-fallback": fallback }),
});

const complianceService = {
  "base-url": httpUrl("Address of the service."),
  "is-enabled": Type.Boolean({ default: true, description: "Whether it is called." }),
  "is-blocking": Type.Boolean({ default: false, description: "Whether a failed call fails the plan." }),
  secret: Type.Optional(
    text("Secret that calls are signed by, as a bearer token (HS256).", {
      "x-secret": true,
      "x-empty": "unset",
    }),
  ),
};

const server = section(
  {
    host: text("Address to listen on.", { default: "127.0.0.1", maxLength: 255 }),
    port: Type.Integer({ minimum: 0, maximum: 65535, default: 7007, description: "0 picks a free port." }),
    baseUrl: Type.Optional(httpUrl("Address under which others reach this server.")),
    bodyLimitBytes: count(10_485_760, "Largest JSON request body."),
    shutdownGraceMs: count(
      8_000,
      "How long a stop waits for running requests; for calls of adapters a quarter of it.",
      {
        minimum: 0,
      },
    ),
    rateLimitPerMinute: count(6000, "Requests per minute and caller."),
    trustProxy: Type.Boolean({ default: false, description: "Whether X-Forwarded-* headers are believed." }),
  },
  "The HTTP server.",
);

const mesh = section(
  {
    builder: section(
      {
        environments: Type.Array(environmentEntry, {
          minItems: 1,
          maxItems: 100,
          default: ["development", "production"],
          description:
            "The environments: all as names (the first has the highest priority) or all as `{name, priority}`.",
        }),
        namespace: Type.String({
          pattern: "^[a-z0-9][a-z0-9-]{0,30}$",
          "x-expects": "at most 31 lower case letters, digits and hyphens",
          default: "dmb",
          description: "The `<namespace>` in URNs of this platform.",
        }),
        archive: section(
          {
            maxUploadBytes: count(20_971_520, "Largest uploaded archive."),
            maxUnpackedBytes: count(104_857_600, "Largest total size of its entries."),
            maxEntries: count(5000, "Most entries."),
            maxFileBytes: count(1_048_576, "Largest single entry."),
            maxRatio: count(100, "Largest ratio of unpacked to packed bytes."),
            renderTimeoutMs: count(700, "Longest rendering of one template, or of the input of one step."),
          },
          "Limits of a descriptor archive.",
        ),
        actions,
        git,
        catalogue,
        instantiations,
      },
      "The builder.",
    ),
  },
  "The data mesh.",
);

const database = section(
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
          ...databaseVariable("PASSWORD", "PLATFORM_DB_PASSWORD"),
        }),
        dbname: text("Database.", {
          default: "provisioning_coordinator",
          maxLength: 63,
          ...databaseVariable("DBNAME"),
        }),
        schema: text("Schema.", {
          default: "cgp",
          maxLength: 63,
          pattern: "^(?!pg_)[^\\u0000]*$",
          "x-expects": "a schema name that does not start with pg_",
          ...databaseVariable("SCHEMA"),
        }),
      },
      "The database of the coordinator.",
    ),
  },
  "Databases.",
);

const hostPattern = text("Host name; `*` stands for any characters.", {
  maxLength: 253,
  pattern: "^[A-Za-z0-9*._:\\[\\]-]+$",
  "x-expects": "a host name or address, with * as a wildcard, without scheme or path",
});

const outbound = section(
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
    allowPrivateNetworks: Type.Boolean({
      default: true,
      description: "Whether private and loopback addresses are called. Adapters usually live there.",
    }),
    maxResponseBytes: count(10_485_760, "Largest response."),
    timeoutMs: count(30_000, "Longest call, unless the caller has its own limit."),
  },
  "Calls to addresses that users can set.",
);

const ownLimit = (description: string, maximum = 1_000_000_000) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));

const ownTaskLimits = {
  callTimeoutMs: ownLimit("Longest single call."),
  taskTimeoutMs: ownLimit("Longest task, with its polling."),
  parallelTasks: ownLimit("Tasks at a time in this process.", 10_000),
};

const environmentLimits = entry(
  {
    name: environmentName("The environment."),
    ...ownTaskLimits,
    operationTimeoutMs: ownLimit("Longest operation."),
  },
  "Limits of one environment.",
);

const adapterLimits = entry(
  {
    id: text("Id of the tech adapter, as in `infrastructureTemplateId`.", { maxLength: 512 }),
    environment: Type.Optional(environmentName("Only in this environment; otherwise in all.")),
    ...ownTaskLimits,
  },
  "Limits of one tech adapter.",
);

const coordinator = section(
  {
    execution: section(
      {
        parallelTasks: count(
          64,
          "Tasks at a time in this process; each process has its own count. From 8 on the last place is kept for a unit that has nothing at work.",
          { maximum: 10_000 },
        ),
        parallelTasksPerAdapter: count(32, "Tasks at a time on one adapter, in this process.", {
          maximum: 10_000,
        }),
        environments: Type.Array(environmentLimits, {
          maxItems: 100,
          default: [],
          description: "Limits of one environment, where they differ.",
        }),
        adapters: Type.Array(adapterLimits, {
          maxItems: 1000,
          default: [],
          description: "Limits of one adapter, where they differ; they go before those of the environment.",
        }),
        callTimeoutMs: count(30_000, "Longest single call of an adapter."),
        taskTimeoutMs: count(3_600_000, "Longest task, with its polling."),
        operationTimeoutMs: count(86_400_000, "Longest operation."),
        pollInitialMs: count(1000, "First wait between two polls."),
        pollFactor: Type.Number({
          minimum: 1,
          maximum: 10,
          default: 1.5,
          description: "Growth of that wait.",
        }),
        pollMaxMs: count(15_000, "Longest wait between two polls."),
        callAttempts: count(5, "Attempts of one call.", { maximum: 100 }),
        retryDelayMs: count(500, "First wait before another attempt."),
        leaseMs: count(15_000, "How long a worker holds a plan without a sign of life."),
        terminateGraceMs: count(30_000, "How long a forced termination waits for an adapter."),
        parallelPlans: count(200, "Plans at a time in this process.", { maximum: 10_000 }),
      },
      "How plans are executed.",
    ),
    accessSync: section(
      {
        url: Type.Optional(
          httpUrl("Address that is told who has access, after each change. None: nobody is."),
        ),
        secret: Type.Optional(
          text("Secret that those calls are signed by, as a bearer token (HS256).", {
            "x-secret": true,
            "x-empty": "unset",
          }),
        ),
      },
      "Telling the platform of changed access.",
    ),
    queuedOperationsPerUnit: count(
      20,
      "Operations that may wait for their turn (`queue=true`) on one unit in one environment.",
      { maximum: 1000 },
    ),
    idempotencyKeyMs: count(86_400_000, "How long an Idempotency-Key is kept after its start."),
    unitIdPattern: Type.Optional(
      text("Pattern that deployment unit ids must match as a whole.", {
        format: "regular-expression",
        "x-expects": "a valid regular expression",
      }),
    ),
    webhooks,
    drift,
  },
  "The coordinator.",
);

export const settingsSchema = Type.Object(
  {
    server,
    mode: Type.Enum(["development", "production"] as const, {
      default: "development",
      description: "NODE_ENV=production sets production, unless PLINTH_MODE is given.",
    }),
    dataDir: text("Folder of the embedded database and other files.", { default: "./.plinth" }),
    log: section(
      {
        level: Type.Enum(logLevels, { default: "info", description: "Least severity that is written." }),
        pretty: Type.Boolean({ default: false, description: "Lines for people instead of JSON." }),
      },
      "Logs.",
    ),
    mesh,
    integrations,
    auth,
    database,
    adapters: section(
      {
        secret: Type.Optional(
          text("Secret that tech adapters know callers by.", {
            "x-secret": true,
            "x-env": "CORE_BACKEND_PLUGIN_AUTH_SECRET",
            "x-empty": "unset",
          }),
        ),
      },
      "Calls to tech adapters.",
    ),
    outbound,
    actionHandlers,
    startupActions,
    assistant,
    coordinator,
    "marketplace-compliant-services": section(
      {
        services: Type.Array(
          entry(
            {
              id: text("Identifier."),
              name: text("Name for people."),
              ...complianceService,
            },
            "One service.",
          ),
          { maxItems: 100, default: [], description: "Services told about provisioning." },
        ),
      },
      "Services that are told about provisioning.",
    ),
    "provisioning-coordinator": Type.Optional(
      entry(
        {
          "depends-on": Type.Optional(
            entry(
              {
                "marketplace-proxy": Type.Optional(
                  entry(
                    {
                      id: Type.Optional(text("Identifier.")),
                      name: Type.Optional(text("Name.")),
                      ...complianceService,
                    },
                    "Deprecated: becomes an entry of `marketplace-compliant-services.services`.",
                  ),
                ),
              },
              "Deprecated.",
            ),
          ),
        },
        "Deprecated.",
      ),
    ),
  },
  { additionalProperties: false },
);

/** The same as plain JSON Schema, for those who walk it. */
export const settingsJson: JsonSchema = JSON.parse(JSON.stringify(settingsSchema));

/** What a file may say, with the defaults filled in. */
export type Settings = Static<typeof settingsSchema>;

export type Mode = Settings["mode"];

export interface Environment {
  name: string;
  /** Lower number, higher priority. */
  priority: number;
}

/** The configuration that the rest of the program sees: settings with the rules of `rules/` applied. */
export type Config = Omit<Settings, "mesh" | "database" | "provisioning-coordinator"> & {
  mesh: { builder: Omit<Settings["mesh"]["builder"], "environments"> & { environments: Environment[] } };
  /** `embedded` is true when no host is given. */
  database: Settings["database"] & { embedded: boolean };
};
