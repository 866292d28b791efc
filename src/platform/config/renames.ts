/**
 * What release 2.2.0 renamed, removed or stopped doing: the one table of it. A start and `plinth config check` report by it
 * (rules/renames.ts, rules/auth.ts), and docs/reference/renames.md is written from it.
 */
export interface NewName {
  name: string;
  /** Whose variable it is, where the old name had several successors. */
  of?: string;
  /** A variable that gives the value to several services at once. */
  fallback?: string;
}

export interface RenamedVariable {
  old: string;
  now: readonly [NewName, ...NewName[]];
  /** When a new name is set as well: `error` as if it were not, or a `warning` that the old one is not read. */
  beside: "error" | "warning";
}

const coordinator = (name: string, fallback?: string): NewName => ({
  name: `COORDINATOR_DB_${name}`,
  of: "the coordinator",
  ...(fallback && { fallback }),
});
const governance = (name: string, fallback?: string): NewName => ({
  name: `CGP_DB_${name}`,
  of: "computational governance",
  ...(fallback && { fallback }),
});

export const renamedVariables: readonly RenamedVariable[] = [
  { old: "SQL_DBNAME", now: [coordinator("DBNAME"), governance("DBNAME")], beside: "error" },
  { old: "SQL_SCHEMA", now: [coordinator("SCHEMA"), governance("SCHEMA")], beside: "error" },
  {
    old: "SQL_PASSWORD",
    now: [coordinator("PASSWORD", "PLATFORM_DB_PASSWORD"), governance("PASSWORD", "PLATFORM_DB_PASSWORD")],
    beside: "error",
  },
  {
    old: "SQL_USERNAME",
    now: [coordinator("USERNAME", "PLATFORM_DB_USERNAME"), governance("USERNAME", "PLATFORM_DB_USERNAME")],
    beside: "error",
  },
  { old: "SQL_HOST", now: [coordinator("HOST", "PLATFORM_DB_HOST")], beside: "error" },
  {
    old: "SQL_PORT",
    now: [coordinator("PORT", "PLATFORM_DB_PORT"), governance("PORT", "PLATFORM_DB_PORT")],
    beside: "error",
  },
  { old: "CGP_SQL_HOST", now: [governance("HOST", "PLATFORM_DB_HOST")], beside: "error" },
  {
    old: "BACKEND_PLUGIN_AUTH_SECRET",
    now: [{ name: "CORE_BACKEND_PLUGIN_AUTH_SECRET" }],
    beside: "warning",
  },
  { old: "licenseFile", now: [{ name: "CORE_LICENSE_FILE" }], beside: "warning" },
  { old: "signature", now: [{ name: "CORE_SIGNATURE" }], beside: "warning" },
];

/** No longer read; a warning when set. */
export interface UnusedVariable {
  name: string;
  solution: string;
}

export const unusedVariables: readonly UnusedVariable[] = [
  {
    name: "ENGINE_GRAPHQL_DATABASE_URL",
    solution:
      "Remove it; each source of dbs.sources has a variable of its own, ENGINE_GRAPHQL_<SOURCE_NAME>_DATABASE_URL.",
  },
];

/**
 * The chart set these for the coordinator; `*` stands for any characters. A warning when one is used and not
 * set.
 */
export const removedMappings: readonly string[] = [
  "EVENTS_BACKEND_BASE_URL",
  "NOTIFICATION_URL",
  "NOTIFICATION_SECRET",
  "CLIENT_CERTIFICATE_*",
  "SERVER_CERTIFICATE_*",
  "PLATFORM_SERVICES",
];

export const removedMappingSolution = "Map it in the values of the chart (extraEnv), or remove it from here.";

/** A key of a file that is an error wherever it stands. */
export interface RemovedSetting {
  path: readonly string[];
  message: string;
  solution: string;
}

const customView = (...path: string[]): RemovedSetting => ({
  path: ["mesh", "marketplace", "ui", ...path],
  message: "was removed in release 2.2.0",
  solution: "Move its content to the corresponding custom view and remove the key.",
});
const licence = (path: string, variable: string): RemovedSetting => ({
  path: [path],
  message: `is no longer read; it is now ${variable} in the secret store`,
  solution: `Set ${variable} and remove the key.`,
});

export const removedSettings: readonly RemovedSetting[] = [
  customView("outputPortPage", "gridInfo"),
  customView("outputPortPage", "sideInfo"),
  customView("dataProductPage", "gridInfo"),
  customView("dataProductPage", "sideInfo"),
  licence("licenseFile", "CORE_LICENSE_FILE"),
  licence("signature", "CORE_SIGNATURE"),
];

/** Still read where its successor is absent, with a warning. */
export const deprecatedSetting = {
  path: ["provisioning-coordinator", "depends-on", "marketplace-proxy"],
  successor: "marketplace-compliant-services",
  solution: "Move it to an entry of marketplace-compliant-services.services.",
} as const;

/** `auth.environment` is not set, and a provider has settings for what was its default. */
export const oldEnvironmentDefault = {
  old: "development",
  now: "default",
  message: "is not used: auth.environment is not set and its default is now default, no longer development",
  solution: (provider: string) =>
    `Set auth.environment to development, or rename this key to auth.providers.${provider}.default.`,
} as const;
