/** Looks at the databases of the sources, and says what of them is tracked and shown. */
import { createHash } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import { readTables } from "./catalogue-store.ts";
import {
  findInconsistencies,
  trackedFrom,
  type Found,
  type FoundTable,
  type Inconsistency,
  type TrackedSource,
} from "./metadata.ts";
import { readMetadata, writeMetadata } from "./metadata-store.ts";
import type { Source } from "./sources.ts";

export interface TrackingOptions {
  /** The database with the metadata. */
  metadata: () => Promise<Database>;
  sources: readonly Source[];
  isTracking: boolean;
  log: Logger;
  now: () => Date;
}

export interface ShownSource {
  name: string;
  schemas: string[];
  tables: { schema: string; name: string; isForOperators: boolean }[];
  /** Whether its database did not answer. */
  isAway: boolean;
}

export interface Look {
  revision: number;
  shown: ShownSource[];
  inconsistencies: Inconsistency[];
  /** Changes with everything that a schema is made of. */
  key: string;
}

export interface Looking {
  poolOf: (source: Source) => Database;
  /** When the process began to track; a reset after that holds in it. */
  startedAt: Date;
}

export async function lookAtSources(options: TrackingOptions, { poolOf, startedAt }: Looking): Promise<Look> {
  const { sources, log } = options;
  const found = await Promise.all(
    sources.map(async (source): Promise<Found> => {
      const tables = await readTables(poolOf(source).db, source).catch((error: unknown) => {
        log.warn({ source: source.name, error }, "a source of the data layer could not be read");
        return null;
      });
      return { name: source.name, tables };
    }),
  );
  const { revision, tracked } = await follow(options, found, startedAt);
  const isOwn = (name: string): boolean => sources.some((source) => source.name === name && source.isOwn);
  const shown = sources.map((source) => shownOf(source, tracked, found));
  return {
    revision,
    shown,
    inconsistencies: findInconsistencies(tracked, found, isOwn),
    key: hashOf(shown, found),
  };
}

interface Followed {
  revision: number;
  tracked: TrackedSource[];
}

/** With tracking on all that was found, which is stored when it has changed; else what is stored. */
async function follow(
  { metadata, isTracking, now }: TrackingOptions,
  found: readonly Found[],
  startedAt: Date,
): Promise<Followed> {
  const { db } = await metadata();
  const { revision, hash, sources, updatedAt } = await readMetadata(db);
  if (!isTracking) return { revision, tracked: sources };
  // A reset holds until a process starts after it: the one that an upgrade starts tracks everything anew.
  if (hash === "" && updatedAt !== null && updatedAt > startedAt) return { revision, tracked: [] };
  const tracked = trackedFrom(found, sources);
  const isWhole = found.every(({ tables }) => tables !== null);
  const next = hashOf(tracked, found);
  if (hash === next || (!isWhole && revision > 0)) return { revision, tracked };
  const written = await writeMetadata(db, revision, {
    hash: next,
    sources: tracked,
    at: now(),
    by: tracker,
  });
  return { revision: written ?? (await readMetadata(db)).revision, tracked };
}

/** Who tracks, in the metadata. */
const tracker = "service:default/plinth";

const hashOf = (sources: readonly object[], found: readonly Found[]): string =>
  createHash("sha256")
    .update(JSON.stringify([sources, found.map(({ tables }) => tables?.map(({ hash }) => hash) ?? null)]))
    .digest("hex");

function shownOf(source: Source, tracked: readonly TrackedSource[], found: readonly Found[]): ShownSource {
  const there = found.find(({ name }) => name === source.name)?.tables ?? null;
  const known = new Map(there?.map((table) => [`${table.schema}.${table.name}`, table]));
  const tables = (tracked.find(({ name }) => name === source.name)?.tables ?? [])
    .filter(({ schema, name }) => there === null || known.has(`${schema}.${name}`))
    .map(({ schema, name }) => ({
      schema,
      name,
      isForOperators: !isForEverybody(source, known.get(`${schema}.${name}`)),
    }));
  const schemas = [...new Set(tables.map(({ schema }) => schema))];
  return { name: source.name, schemas, tables, isAway: there === null };
}

/** Tables of others are for operators until their database is seen to filter their rows. */
const isForEverybody = ({ isOwn, isFiltered }: Source, table: FoundTable | undefined): boolean =>
  isOwn || (isFiltered && table?.filtersRows === true);
