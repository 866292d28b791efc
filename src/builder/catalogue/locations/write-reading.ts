/** Stores the result of reading a location, in the transaction of the caller. */
import { createHash } from "node:crypto";
import { isUnstorable, withoutUnstorable } from "../../../platform/lib/safe-json.ts";
import type { Db } from "../../../platform/db/database.ts";
import type { Problem } from "../../../platform/errors/failure.ts";
import { yieldToEventLoop } from "../../../platform/lib/files/small-files.ts";
import { newId } from "../../../platform/lib/ids.ts";
import type { CatalogueSettings } from "../../context.ts";
import { relationsOf } from "../entities/relations.ts";
import { searchRowsOf } from "../entities/search-rows.ts";
import { locationRef } from "../sources/target.ts";
import {
  markOrphans,
  readKnown,
  storeEntities,
  type EntityToStore,
  type KnownEntity,
} from "./entity-store.ts";
import type { LoadedLocation } from "../sources/load-location.ts";
import type { LoadedEntity } from "../sources/read-entities.ts";
import { isPerson, peopleProblems, takesPeople } from "./people.ts";
import { endReading, lockReading, type LocationRow } from "./store.ts";
import { type Entity, defaultNamespace } from "../../entity.ts";

export interface Reading {
  location: LocationRow;
  /** Null when nothing has changed since the last read. */
  loaded: LoadedLocation | null;
  at: Date;
  nextRefreshAt: Date | null;
  settings: CatalogueSettings;
}

/** Maximum number of problems that are stored for a location. */
const maxProblems = 100;

/** The current problems of the location; null when another read has begun since and nothing was written. */
export async function writeReading(db: Db, reading: Reading): Promise<Problem[] | null> {
  const { location, at, nextRefreshAt } = reading;
  if (!(await lockReading(db, location.id, location.fence))) return null;
  const { loaded, refused } = acceptable(reading);
  const contentHash = loaded === null ? location.contentHash : await hashLocation(loaded, refused);
  const isSame = contentHash === location.contentHash;
  if (loaded === null || isSame) {
    const version = loaded?.version ?? location.version;
    await endReading(db, location.id, { ...location, version, at, nextRefreshAt });
    return location.problems;
  }
  const claims = await takeIn(db, location, { loaded, at });
  const problems = [...claims, ...refused, ...loaded.problems].slice(0, maxProblems);
  // A refused entity may be accepted at the next read, so the same content must be processed again.
  const settled = claims.length === 0;
  await endReading(db, location.id, {
    at,
    nextRefreshAt,
    problems,
    version: settled ? loaded.version : null,
    contentHash: settled ? contentHash : null,
  });
  return problems;
}

/** Users and groups are ignored in a location that may not provide them. */
function acceptable({ loaded, location, settings }: Reading): {
  loaded: LoadedLocation | null;
  refused: Problem[];
} {
  if (loaded === null || takesPeople(location, settings)) return { loaded, refused: [] };
  const entities = loaded.entities.filter((entity) => !isPerson(entity));
  return { loaded: { ...loaded, entities }, refused: peopleProblems(loaded.entities) };
}

/** Entities written together. */
const groupSize = 200;
const groupBytes = 4 * 1024 * 1024;

async function takeIn(
  db: Db,
  location: LocationRow,
  { loaded, at }: { loaded: LoadedLocation; at: Date },
): Promise<Problem[]> {
  const known = new Map<string, KnownEntity>();
  const refs = loaded.entities.map(({ ref }) => ref);
  for (const entity of await readKnown(db, location.id, refs)) known.set(entity.ref, entity);
  const isTaken = (ref: string): boolean => (known.get(ref)?.locationId ?? location.id) !== location.id;
  const origin = locationRef(location);
  const own = loaded.entities.filter(({ ref }) => !isTaken(ref));
  // All writers lock rows in the order of the references, which prevents deadlocks.
  own.sort((a, b) => (a.ref < b.ref ? -1 : 1));
  const refused = new Set<string>();
  for (const group of groupsOf(own)) {
    const changed: EntityToStore[] = [];
    for (const entity of group) {
      await yieldToEventLoop();
      const before = known.get(entity.ref);
      const stored = toStore(entity, before?.uid ?? newId(), origin);
      if (stored.hash !== before?.hash) changed.push(stored);
    }
    const written = await storeEntities(db, { locationId: location.id, at }, changed);
    for (const { ref } of changed) if (!written.has(ref)) refused.add(ref);
  }
  // When some files could not be read, entities that seem to be gone may still exist in them.
  if (loaded.problems.length === 0) {
    const present = new Set(refs);
    const gone = [...known.values()].filter(
      ({ ref, orphan, locationId }) => locationId === location.id && !orphan && !present.has(ref),
    );
    await markOrphans(
      db,
      gone.map(({ uid }) => uid),
      orphanAnnotation,
    );
  }
  return loaded.entities
    .filter(({ ref }) => isTaken(ref) || refused.has(ref))
    .map(({ ref, where }) => ({
      where,
      message: `The entity ${ref} belongs to another location, which had it first.`,
      solution: "Rename it, or unregister the other location.",
    }));
}

function* groupsOf(entities: readonly LoadedEntity[]): Generator<LoadedEntity[]> {
  let group: LoadedEntity[] = [];
  let bytes = 0;
  for (const entity of entities) {
    const size = [...entity.files.values()].reduce((sum, { length }) => sum + length, 0);
    if (group.length > 0 && (group.length >= groupSize || bytes + size > groupBytes)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(entity);
    bytes += size;
  }
  if (group.length > 0) yield group;
}

function toStore(
  { ref, entity, managedBy, parents, files }: LoadedEntity,
  uid: string,
  origin: string,
): EntityToStore {
  const raw = storable(entity);
  const hash = hashEntity(raw, [managedBy, origin, ...parents].join("\n"), files);
  const sound: typeof entity = JSON.parse(raw);
  const shown = shownEntity(sound, { uid, managedBy, origin, hash });
  return {
    uid,
    ref,
    kind: entity.kind.toLowerCase(),
    parents,
    raw,
    processed: JSON.stringify(shown),
    hash,
    search: searchRowsOf(shown),
    relations: relationsOf(sound),
    files,
  };
}

/** JSON text without the characters that PostgreSQL cannot store. */
function storable(value: unknown): string {
  const json = JSON.stringify(value);
  return isUnstorable(json) ? JSON.stringify(withoutUnstorable(value)) : json;
}

async function hashLocation(loaded: LoadedLocation, refused: readonly Problem[]): Promise<string> {
  const hash = createHash("sha256");
  for (const { entity, managedBy, parents, files } of loaded.entities) {
    await yieldToEventLoop();
    hash.update(hashEntity(JSON.stringify(entity), [managedBy, ...parents].join("\n"), files));
  }
  return hash.update(JSON.stringify([...loaded.problems, ...refused])).digest("hex");
}

const managedByAnnotation = "backstage.io/managed-by-location";
const managedByOriginAnnotation = "backstage.io/managed-by-origin-location";
const orphanAnnotation = "backstage.io/orphan";

/** Whether the location of a stored entity no longer contains it. */
export const isOrphan = ({ metadata }: Entity): boolean =>
  metadata.annotations?.[orphanAnnotation] === "true";

interface EntityOrigin {
  uid: string;
  /** `type:target` of the entity's file, and of the location that it was registered from. */
  managedBy: string;
  origin: string;
  hash: string;
}

/** Without its relations, which are added when it is read. */
function shownEntity(entity: Entity, { uid, managedBy, origin, hash }: EntityOrigin): Entity {
  const { metadata, spec } = entity;
  const { annotations = {}, namespace, ...rest } = metadata;
  const { [orphanAnnotation]: _orphan, ...own } = annotations;
  return {
    apiVersion: entity.apiVersion,
    kind: entity.kind,
    metadata: {
      ...rest,
      namespace: namespace ?? defaultNamespace,
      annotations: { ...own, [managedByAnnotation]: managedBy, [managedByOriginAnnotation]: origin },
      uid,
      etag: hash.slice(0, 32),
    },
    ...(spec === undefined ? {} : { spec }),
  };
}

/** Changes with every stored part of an entity. */
function hashEntity(raw: string, managedBy: string, files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash("sha256").update(`${managedBy}\n${raw}`);
  for (const [name, content] of files) hash.update(`\n${name}\n${content.length}\n`).update(content);
  return hash.digest("hex");
}
