import { Type, type Static } from "typebox";
import { accessTokens } from "./schema-access-tokens.ts";
import { assistant } from "./schema-assistant.ts";
import { auth } from "./schema-auth.ts";
import { startupActions } from "./schema-builder.ts";
import { webConsole } from "./schema-console.ts";
import { adapters, compliantServices, coordinator, olderCoordinator } from "./schema-coordinator.ts";
import { configOverride, dataLayer, dbs, type DataSource } from "./schema-data-layer.ts";
import { governance } from "./schema-governance.ts";
import { actionHandlers } from "./schema-hooks.ts";
import { mesh } from "./schema-mesh.ts";
import { notices } from "./schema-notices.ts";
import { text } from "./schema-parts.ts";
import { audit, database, log, metrics, outbound, server } from "./schema-platform.ts";
import { integrations } from "./schema-publishing.ts";
import { retention } from "./schema-retention.ts";
import type { JsonSchema } from "../source/schema-paths.ts";

/**
 * The schema of a configuration file: the one place that says which settings exist. The reference page,
 * the environment variable names, the checks, the defaults and the types all come from here.
 *
 * Our own keywords: `x-secret` (never printed), `x-env` (an environment variable whose name is not the usual
 * PLINTH_… one), `x-env-fallback` (read when neither the variable nor a file gives a value), `x-empty` (`unset`:
 * an empty text counts as not given), `x-expects` (what a value must be, in words, when a pattern is not met), `x-reload` (a
 * running process takes another value at SIGHUP).
 */
export const customKeywords = [
  "x-secret",
  "x-env",
  "x-env-fallback",
  "x-empty",
  "x-expects",
  "x-reload",
] as const;

export const settingsSchema = Type.Object(
  {
    server,
    mode: Type.Enum(["development", "production"] as const, {
      default: "development",
      description: "NODE_ENV=production sets production, unless PLINTH_MODE is given.",
    }),
    dataDir: text("Folder of the embedded database and other files.", { default: "./.plinth" }),
    log,
    audit,
    metrics,
    mesh,
    integrations,
    auth,
    accessTokens,
    console: webConsole,
    database,
    adapters,
    outbound,
    actionHandlers,
    startupActions,
    assistant,
    coordinator,
    governance,
    notices,
    dbs,
    configOverride,
    dataLayer,
    retention,
    "marketplace-compliant-services": compliantServices,
    "provisioning-coordinator": olderCoordinator,
  },
  { additionalProperties: false },
);

/** The same as plain JSON Schema, for code that traverses it. */
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
export type Config = Omit<
  Settings,
  "mesh" | "database" | "dbs" | "configOverride" | "provisioning-coordinator"
> & {
  mesh: Omit<Settings["mesh"], "builder"> & {
    builder: Omit<Settings["mesh"]["builder"], "environments"> & { environments: Environment[] };
  };
  /** `embedded` is true when no host is given. */
  database: Settings["database"] & { embedded: boolean };
  /** With their addresses, and with what `configOverride` says of each. */
  dbs: { sources: DataSource[] };
};
