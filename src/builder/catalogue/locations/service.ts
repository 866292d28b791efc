/** Registers, refreshes and unregisters locations. */
import { inTransaction, type Db } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/failures.ts";
import { Failure, type Problem } from "../../../platform/errors/failure.ts";
import { isUuid, newId } from "../../../platform/lib/ids.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import { writeAudit, type BuilderContext, type BuilderDeps, type CatalogueSettings } from "../../context.ts";
import { builderFailure } from "../../errors.ts";
import { type Entity, normalRef, stringifyRef, type EntityRef } from "../../entity.ts";
import { readEntities } from "../store.ts";
import { locationRef, type LocationTarget } from "../sources/target.ts";
import { deleteEntity } from "./entity-store.ts";
import { loadLocation, type LoadedLocation } from "../sources/load-location.ts";
import type { LoadDeps } from "../sources/read-entities.ts";
import { mayBringPeople, peopleProblems, takesPeople } from "./people.ts";
import {
  beginReading,
  changeTarget,
  countLocations,
  deleteLocation,
  insertLocation,
  listLocations,
  readLocation,
  readLocationByTarget,
  readLocationOfEntity,
  requestRefresh,
  type LocationRow,
} from "./store.ts";
import { writeReading } from "./write-reading.ts";

/** Maximum number of locations in one catalogue; the list has no pages. */
export const maxLocations = 5_000;
const maxReadings = 4;
const busyRetrySeconds = 5;
/**
 * A location with more entities is stored by a worker, because writing them could exceed the time limit of a
 * request.
 */
const maxEntitiesInRequest = 2_000;

/** What registering needs of the builder; a part of `BuilderContext`. */
export type RegisterContext = RequestContext & { builder: LoadDeps & Pick<BuilderDeps, "database"> };

export interface LocationView {
  id: string;
  type: string;
  target: string;
  /** Problems found at the last read. */
  problems: Problem[];
  refreshedAt: string | null;
}

export interface Registration {
  location: LocationView;
  entities: Entity[];
  /** Whether the location was registered already. */
  exists: boolean;
}

export interface NewRegistration extends LocationTarget {
  /** A location that cannot be read yet is registered anyway, and a worker reads it later. */
  optional?: boolean;
}

/**
 * Reads a location and stores its entities. A registered location is read again, so the operation is
 * idempotent. Problems of single files are listed in the location's `problems`; when no entity is valid, or some are users or
 * groups that the location may not bring, it throws a Failure with all problems and registers nothing.
 */
export async function registerLocation(ctx: RegisterContext, wanted: NewRegistration): Promise<Registration> {
  const { database, settings } = ctx.builder;
  const { type, target, optional = false } = wanted;
  const db = database.db;
  const known = await readLocationByTarget(db, wanted);
  if (known === null) await refuseTooMany(ctx);
  const loaded = await readNow(ctx, { type, target }, known).catch((error: unknown) => {
    // A caller waits while the catalogue is busy, whether the location is optional or not.
    if (optional && error instanceof Failure && error.kind !== "unavailable") return null;
    throw error;
  });
  const at = ctx.now();
  const id = known?.id ?? newId();
  return inTransaction(database, async (tx) => {
    const nextRefreshAt = loaded === null ? at : nextRefresh(at, settings.catalogue);
    const isNew = await insertLocation(tx, {
      id,
      type,
      target,
      registeredBy: ctx.actor.ref,
      bringsPeople: mayBringPeople(ctx.actor),
      at,
      nextRefreshAt,
    });
    const row = await readLocationByTarget(tx, wanted);
    if (row === null) throw unknownLocation(id);
    if (isNew)
      await writeAudit(tx, ctx, {
        operation: "registerLocation",
        subject: `location:${locationRef(wanted)}`,
      });
    if (loaded === null) return { location: locationView(row), entities: [], exists: !isNew };
    const location = await takeIn(tx, row, { loaded, at, settings: settings.catalogue });
    const refs = loaded.entities.map(({ ref }) => ref);
    const entities = location.refreshedAt === null ? [] : await readEntities(tx, refs);
    return { location, entities, exists: !isNew };
  });
}

/** Stores what was read, or leaves that to a worker; then `refreshedAt` is null. */
async function takeIn(
  tx: Db,
  row: LocationRow,
  { loaded, at, settings }: { loaded: LoadedLocation; at: Date; settings: CatalogueSettings },
): Promise<LocationView> {
  if (loaded.entities.length > maxEntitiesInRequest) {
    await requestRefresh(tx, row.id, at);
    return { ...locationView(row), problems: loaded.problems, refreshedAt: null };
  }
  const fence = (await beginReading(tx, row.id)) ?? row.fence;
  const nextRefreshAt = nextRefresh(at, settings);
  const reading = { location: { ...row, fence }, loaded, at, nextRefreshAt, settings };
  const problems = (await writeReading(tx, reading)) ?? row.problems;
  return { ...locationView(row), problems, refreshedAt: at.toISOString() };
}

/** Like `registerLocation`, but a registered location is refused unless it is to be read again. */
export async function registerNewLocation(
  ctx: BuilderContext,
  target: LocationTarget,
  onConflict: "reject" | "refresh" = "reject",
): Promise<Registration> {
  if (onConflict === "refresh") return registerLocation(ctx, target);
  const known = await readLocationByTarget(ctx.builder.database.db, target);
  if (known !== null) throw existsAlready(known.id);
  const registration = await registerLocation(ctx, target);
  if (registration.exists) throw existsAlready(registration.location.id);
  return registration;
}

/**
 * Changes the target of a location and reads it at once: entities that the new target contains too are kept,
 * the others become orphans. Throws a Failure and changes nothing when the new target has no valid entity.
 */
export async function updateLocation(
  ctx: BuilderContext,
  id: string,
  target: LocationTarget,
): Promise<LocationView> {
  const { database, settings } = ctx.builder;
  const db = database.db;
  const known = isUuid(id) ? await readLocation(db, id) : null;
  if (known === null) throw unknownLocation(id);
  const other = await readLocationByTarget(db, target);
  if (other !== null && other.id !== known.id) throw existsAlready(other.id);
  // The caller who sets the new target is responsible for its users and groups, whoever registered the old
  // target.
  const bringsPeople = mayBringPeople(ctx.actor);
  const loaded = await readNow(ctx, target, { bringsPeople });
  const at = ctx.now();
  return inTransaction(database, async (tx) => {
    const row = await changeTarget(tx, { id: known.id, ...target, bringsPeople });
    if (row === null) throw unknownLocation(id);
    await writeAudit(tx, ctx, {
      operation: "updateLocation",
      subject: `location:${locationRef(known)}`,
      detail: { target: locationRef(target) },
    });
    return takeIn(tx, row, { loaded, at, settings: settings.catalogue });
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, "catalogue_locations_type_target_key") ? existsAlready(null) : error;
  });
}

/** Null when another request is registering it at this moment. */
const existsAlready = (id: string | null): Failure => {
  const message = `This location is registered already${id === null ? "" : `, with the id ${id}`}.`;
  return builderFailure("BUILDER_LOCATION_EXISTS", { message, where: "/target" });
};

/** A dry run of registering a location; nothing is written. */
export async function tryLocation(ctx: BuilderContext, target: LocationTarget): Promise<Registration> {
  const known = await readLocationByTarget(ctx.builder.database.db, target);
  const { problems, ...loaded } = await readNow(ctx, target, known);
  const { type } = target;
  return {
    location: { id: known?.id ?? newId(), type, target: target.target, problems, refreshedAt: null },
    entities: loaded.entities.map(({ entity }) => entity),
    exists: known !== null,
  };
}

/** Rejects with a Failure when no entity is valid, or when the location may not provide one of them. */
async function readNow(
  ctx: RegisterContext,
  target: LocationTarget,
  known: Pick<LocationRow, "bringsPeople"> | null,
): Promise<LoadedLocation> {
  const loaded = await readWithinLimit(ctx, target);
  const location = known ?? { bringsPeople: mayBringPeople(ctx.actor) };
  const isOpen = takesPeople(location, ctx.builder.settings.catalogue);
  const people = isOpen ? [] : peopleProblems(loaded.entities);
  if (people.length === 0 && loaded.entities.length > 0) return loaded;
  const problems = [...loaded.problems, ...people];
  const message = `The location cannot be registered: ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}.`;
  throw builderFailure("BUILDER_INVALID_LOCATION", { message, problems });
}

/**
 * Files are read before any transaction begins; each process reads a limited number of locations at a time.
 */
export async function readWithinLimit(ctx: RegisterContext, target: LocationTarget): Promise<LoadedLocation> {
  if (readings >= maxReadings) {
    throw builderFailure("BUILDER_BUSY", {
      message: `${maxReadings} locations are being read already.`,
      retryAfterSeconds: busyRetrySeconds,
    });
  }
  readings += 1;
  try {
    const loaded = await loadLocation(ctx.builder, target, { signal: ctx.signal });
    return loaded ?? { version: null, entities: [], problems: [] };
  } finally {
    readings -= 1;
  }
}

let readings = 0;

async function refuseTooMany({ builder }: RegisterContext): Promise<void> {
  if ((await countLocations(builder.database.db)) < maxLocations) return;
  const message = `The catalogue has ${maxLocations} locations, which is as many as it takes.`;
  throw builderFailure("BUILDER_INVALID_LOCATION", { message, where: "/target" });
}

export const nextRefresh = (at: Date, { refreshMs }: CatalogueSettings): Date | null =>
  refreshMs === 0 ? null : new Date(at.getTime() + refreshMs);

export const locationView = ({ id, type, target, problems, refreshedAt }: LocationRow): LocationView => ({
  id,
  type,
  target,
  problems,
  refreshedAt: refreshedAt?.toISOString() ?? null,
});

export async function getLocations(ctx: BuilderContext): Promise<LocationView[]> {
  return (await listLocations(ctx.builder.database.db, maxLocations)).map(locationView);
}

export async function getLocation(ctx: BuilderContext, id: string): Promise<LocationView> {
  const row = isUuid(id) ? await readLocation(ctx.builder.database.db, id) : null;
  if (row === null) throw unknownLocation(id);
  return locationView(row);
}

export async function getLocationOfEntity(ctx: BuilderContext, name: EntityRef): Promise<LocationView> {
  const ref = stringifyRef(name);
  const row = await readLocationOfEntity(ctx.builder.database.db, ref);
  if (row === null) throw unknownEntity(ref);
  return locationView(row);
}

/** Removes a location with its entities. */
export async function unregisterLocation(ctx: BuilderContext, id: string): Promise<void> {
  await inTransaction(ctx.builder.database, async (tx) => {
    const row = isUuid(id) ? await deleteLocation(tx, id, ctx.now()) : null;
    if (row === null) throw unknownLocation(id);
    await writeAudit(tx, ctx, { operation: "unregisterLocation", subject: `location:${locationRef(row)}` });
  });
}

/** Requests a refresh of the location of an entity. */
export async function refreshEntity(ctx: BuilderContext, ref: string): Promise<void> {
  const db = ctx.builder.database.db;
  const normal = normalRef(ref);
  const row = normal === null ? null : await readLocationOfEntity(db, normal);
  if (row === null) throw unknownEntity(ref);
  await requestRefresh(db, row.id, ctx.now());
}

export async function removeEntity(ctx: BuilderContext, uid: string): Promise<void> {
  await inTransaction(ctx.builder.database, async (tx) => {
    const ref = isUuid(uid) ? await deleteEntity(tx, uid) : null;
    if (ref === null) throw unknownEntity(uid);
    await writeAudit(tx, ctx, { operation: "removeEntity", subject: `entity:${ref}` });
  });
}

const unknownLocation = (id: string): Failure =>
  builderFailure("BUILDER_LOCATION_NOT_FOUND", {
    message: `There is no location with the id ${id.slice(0, 100)}.`,
  });

export const unknownEntity = (ref: string): Failure =>
  builderFailure("BUILDER_ENTITY_NOT_FOUND", { message: `There is no entity ${ref.slice(0, 200)}.` });
