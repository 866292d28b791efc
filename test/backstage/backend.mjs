/**
 * Backstage's scaffolder backend as a process of its own: `node backend.mjs <folder> <json>`. The folder says which
 * release; the JSON has `port`, `database` (connection of PostgreSQL), `entities` (what its catalogue knows) and
 * `parallel` (tasks at a time). Tells its parent once it serves, and ends when the parent lets go of it.
 */
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, given] = process.argv.slice(2);
const { port, database, entities, parallel } = JSON.parse(given);
const require = createRequire(join(folder, "package.json"));
const { createBackend } = require("@backstage/backend-defaults");
const { coreServices, createServiceFactory } = require("@backstage/backend-plugin-api");
const { ConfigReader } = require("@backstage/config");
const { catalogServiceRef } = require("@backstage/plugin-catalog-node");

const config = new ConfigReader({
  app: { title: "Comparison", baseUrl: `http://127.0.0.1:${port}` },
  backend: {
    baseUrl: `http://127.0.0.1:${port}`,
    listen: { host: "127.0.0.1", port },
    auth: { dangerouslyDisableDefaultAuthPolicy: true },
    database: {
      client: "pg",
      pluginDivisionMode: "schema",
      connection: database,
      // Its default of ten gives up where starts and tasks come at once.
      knexConfig: { pool: { min: 2, max: 40, acquireTimeoutMillis: 300_000 } },
    },
  },
  integrations: { github: [{ host: "github.com" }], gitlab: [{ host: "gitlab.com" }] },
  scaffolder: { concurrentTasksLimit: parallel },
});

/** A catalogue that knows what it is given, so that nothing of it is measured or compared. */
const known = new Map(entities.map((entity) => [refOf(entity), entity]));

function refOf({ kind, metadata }) {
  return `${kind}:${metadata.namespace ?? "default"}/${metadata.name}`.toLowerCase();
}

const toRef = (ref) =>
  typeof ref === "string"
    ? ref.toLowerCase()
    : `${ref.kind}:${ref.namespace ?? "default"}/${ref.name}`.toLowerCase();

const catalogue = {
  getEntityByRef: async (ref) => known.get(toRef(ref)),
  getEntitiesByRefs: async ({ entityRefs }) => ({ items: entityRefs.map((ref) => known.get(toRef(ref))) }),
};

/** Warnings and errors are shown when asked for; writing lines would only cost it time. */
const shown = process.env.BACKSTAGE_LOG ? console : { error() {}, warn() {} };
const logger = {
  error: (...line) => shown.error(...line),
  warn: (...line) => shown.warn(...line),
  info() {},
  debug() {},
  child: () => logger,
};
const fixed = (service, value) => createServiceFactory({ service, deps: {}, factory: () => value });

const backend = createBackend();
backend.add(fixed(coreServices.rootConfig, config));
backend.add(fixed(coreServices.rootLogger, logger));
backend.add(fixed(catalogServiceRef, catalogue));
backend.add(require("@backstage/plugin-scaffolder-backend"));
await backend.start();
process.send?.({ ready: true });
process.on("disconnect", () => process.exit(0));
