/** The data layer as a part of a process: its HTTP interface, and the schema behind it. */
import type { AreaModule, Platform } from "../platform/runtime/platform.ts";
import { createLayer } from "./graph/layer.ts";
import { openMetadataDatabase } from "./metadata-database.ts";
import { createDataLayerMetrics } from "./metrics.ts";
import { sourcesOf, type OwnConnections } from "./graph/sources.ts";
import { createPersistedQueries } from "./queries/persisted.ts";
import { dataLayerSettings } from "./settings.ts";

export interface DataLayerParts {
  /** Where the services' databases are. */
  connections: OwnConnections;
  /** Whether the process serves nothing else; it is then ready when the schema is. */
  isAlone: boolean;
}

export interface DataLayerModule extends AreaModule {
  /** Why the process is not ready; null where the data layer is, or where the process has other work as well. */
  notReady(): string | null;
}

/** Nothing is opened or loaded for it before its first query, except where the process serves nothing else. */
export function createDataLayer(
  platform: Platform,
  { connections, isAlone }: DataLayerParts,
): DataLayerModule {
  const { config, database, log, now, opened } = platform;
  const { dataLayer } = config;
  const metrics = createDataLayerMetrics(
    platform.instruments,
    config.dbs.sources.map(({ name }) => name),
  );
  const metadata = openMetadataDatabase(database, dataLayer.metadataUrl, log);
  opened.add("the database of the data layer's metadata", () => metadata.close());
  const layer = createLayer({
    metadata: metadata.open,
    sources: sourcesOf(config, connections),
    isTracking: dataLayer.autoTracking,
    trackingMs: dataLayer.trackingSeconds * 1_000,
    limits: dataLayer.limits,
    connections: dataLayer.connections,
    timeoutMs: dataLayer.timeoutMs,
    log: log.child({ area: "data-layer" }),
    now,
    looked: metrics.looked,
  });
  opened.add("the data layer", () => layer.close());
  const persisted = createPersistedQueries(
    dataLayer.persistedQueryCount,
    dataLayer.persistedQueries === "automatic",
  );
  let isServed = false;
  return {
    async area() {
      const { dataLayerArea } = await import("./area.ts");
      isServed = true;
      // Not awaited: the start goes on while a source is away, and the readiness says so.
      if (isAlone) layer.look().catch(() => undefined);
      return dataLayerArea({
        layer,
        database,
        metadata: metadata.open,
        persisted,
        metrics,
        settings: dataLayerSettings(config),
      });
    },
    registerMetrics: async () => undefined,
    retentionRules: async () => [],
    checks: async () => [],
    start: async () => undefined,
    close: async () => undefined,
    notReady: () => (isServed && isAlone ? layer.reason() : null),
  };
}
