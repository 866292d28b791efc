import { writeAudit as write, type AreaAuditEntry } from "../platform/db/audit.ts";
import type { Database, Db } from "../platform/db/database.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";
import type { Layer } from "./graph/layer.ts";
import type { DataLayerMetrics } from "./metrics.ts";
import type { BoundsOptions } from "./queries/bounds.ts";
import type { PersistedQueries } from "./queries/persisted.ts";

/** What every service of the data layer gets besides the request; made once by its module. */
export interface DataLayerDeps {
  layer: Layer;
  /** The platform's, with the audit. */
  database: Database;
  /** The one with the metadata, which may be another. */
  metadata: () => Promise<Database>;
  persisted: PersistedQueries;
  metrics: DataLayerMetrics;
  settings: DataLayerSettings;
}

export interface DataLayerSettings {
  isTracking: boolean;
  /** Names of the configured sources. */
  sources: readonly string[];
  /** What one query may take. */
  bounds: BoundsOptions;
}

export interface DataLayerExtra {
  dataLayer: DataLayerDeps;
}

export type DataLayerContext = RequestContext & DataLayerExtra;

/** Writes an audit row of this area in the transaction of the change that it describes. */
export const writeAudit = (db: Db, ctx: RequestContext, entry: AreaAuditEntry): Promise<void> =>
  write(db, ctx, { ...entry, area: "data-layer" });
