/** What release 2.2.0 renamed or removed. The upgrade checks and the documentation are made from these tables too. */
export interface RenamedVariable {
  old: string;
  replacement: string;
  /** A variable that gives the value to several services at once. */
  fallback?: string;
  /** When the replacement is set as well: `refuse` as if it were not, or `ignore` the old one with a warning. */
  whenBoth: "refuse" | "ignore";
}

export const renamedVariables: readonly RenamedVariable[] = [
  { old: "SQL_DBNAME", replacement: "COORDINATOR_DB_DBNAME", whenBoth: "refuse" },
  { old: "SQL_SCHEMA", replacement: "COORDINATOR_DB_SCHEMA", whenBoth: "refuse" },
  {
    old: "SQL_PASSWORD",
    replacement: "COORDINATOR_DB_PASSWORD",
    fallback: "PLATFORM_DB_PASSWORD",
    whenBoth: "refuse",
  },
  {
    old: "SQL_USERNAME",
    replacement: "COORDINATOR_DB_USERNAME",
    fallback: "PLATFORM_DB_USERNAME",
    whenBoth: "refuse",
  },
  { old: "SQL_HOST", replacement: "COORDINATOR_DB_HOST", fallback: "PLATFORM_DB_HOST", whenBoth: "refuse" },
  { old: "SQL_PORT", replacement: "COORDINATOR_DB_PORT", fallback: "PLATFORM_DB_PORT", whenBoth: "refuse" },
  {
    old: "BACKEND_PLUGIN_AUTH_SECRET",
    replacement: "CORE_BACKEND_PLUGIN_AUTH_SECRET",
    whenBoth: "ignore",
  },
];

export interface RemovedSetting {
  path: readonly string[];
  solution: string;
}

const toCustomView = "Move its content to the corresponding custom view and remove the key.";

export const removedSettings: readonly RemovedSetting[] = [
  { path: ["mesh", "marketplace", "ui", "outputPortPage", "gridInfo"], solution: toCustomView },
  { path: ["mesh", "marketplace", "ui", "outputPortPage", "sideInfo"], solution: toCustomView },
  { path: ["mesh", "marketplace", "ui", "dataProductPage", "gridInfo"], solution: toCustomView },
  { path: ["mesh", "marketplace", "ui", "dataProductPage", "sideInfo"], solution: toCustomView },
];
