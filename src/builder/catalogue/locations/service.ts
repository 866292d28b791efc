/** Registers locations, reads them again and lets go of them. */
import { writeAudit } from "../../../platform/db/audit.ts";
import { inTransaction } from "../../../platform/db/database.ts";
import { Failure, type Problem } from "../../../platform/errors/failure.ts";
import { isUuid, newId } from "../../../platform/lib/ids.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import type { BuilderContext, BuilderMeans, CatalogueSettings } from "../../context.ts";
import { builderFailure } from "../../errors.ts";
import type { Entity } from "../entity.ts";
import { normalRef, stringifyRef, type EntityRef } from "../entity-ref.ts";
import { readEntity } from "../reading/store.ts";
import { locationRef, type LocationTarget } from "../sources/target.ts";
import { deleteEntity } from "./entity-store.ts";
import { loadLocation, type LoadedLocation, type LoadMeans } from "./load-location.ts";
import { mayBringPeople, peopleProblems, takesPeople } from "./people.ts";
import {
  beginReading,
  countLocations,
  deleteLocation,
  insertLocation,
  listLocations,
  readLocation,
  readLocationByTarget,
  readLocationOfEntity,
  wantRefresh,
  type LocationRow,
} from "./store.ts";
import { writeReading } from "./write-reading.ts";

/** Locations of one catalogue; the list of them has no pages. */
export const maxLocations = 5_000;
const maxReadings = 4;
const busyRetrySeconds = 5;

/** What registering needs of the builder; a part of `BuilderContext`. */
export type RegisterContext = RequestContext & { builder: LoadMeans & Pick<BuilderMeans, "database"> };

export interface LocationView {
  id: string;
  type: string;
  target: string;
  /** What was wrong when it was last read. */
  problems: Problem[];
  refreshedAt: string | null;
}

export interface Registration {
  location: LocationView;
  entities: Entity[];
  /** It was registered before. */
  exists: boolean;
}

export interface NewRegistration extends LocationTarget {
  /** What cannot be read yet is registered all the same, and read by a worker later. */
  optional?: boolean;
}

/**
 * Reads a location and takes its entities in. One that is registered already is read again, so that doing it twice is the
 * same as once. Throws a Failure with every problem of its files, and then nothing is registered.
 */
export async function registerLocation(ctx: RegisterContext, wanted: NewRegistration): Promise<Registration> {
  const { database, settings } = ctx.builder;
  const { type, target, optional = false } = wanted;
  const db = database.kysely;
  const known = await readLocationByTarget(db, wanted);
  if (known === null) await refuseTooMany(ctx);
  const loaded = await readNow(ctx, { type, target }, known).catch((error: unknown) => {
    if (optional && error instanceof Failure) return null;
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
    const fence = (await beginReading(tx, row.id)) ?? row.fence;
    const location = { ...row, fence };
    const reading = { location, loaded, at, nextRefreshAt, settings: settings.catalogue };
    const problems = (await writeReading(tx, reading)) ?? row.problems;
    const entities: Entity[] = [];
    for (const { ref } of loaded.entities) {
      const entity = await readEntity(tx, ref);
      if (entity !== null) entities.push(entity);
    }
    return {
      location: { ...locationView(row), problems, refreshedAt: at.toISOString() },
      entities,
      exists: !isNew,
    };
  });
}

/** As `registerLocation`, but one that is registered already is refused. */
export async function registerNewLocation(
  ctx: BuilderContext,
  target: LocationTarget,
): Promise<Registration> {
  const known = await readLocationByTarget(ctx.builder.database.kysely, target);
  if (known !== null) throw existsAlready(known.id);
  const registration = await registerLocation(ctx, target);
  if (registration.exists) throw existsAlready(registration.location.id);
  return registration;
}

const existsAlready = (id: string): Failure => {
  const message = `This location is registered already, with the id ${id}.`;
  return builderFailure("BUILDER_LOCATION_EXISTS", { message, problems: [{ where: "/target", message }] });
};

/** What registering a location would find; nothing is written. */
export async function tryLocation(ctx: BuilderContext, target: LocationTarget): Promise<Registration> {
  const known = await readLocationByTarget(ctx.builder.database.kysely, target);
  const loaded = await readNow(ctx, target, known);
  const { type } = target;
  return {
    location: { id: known?.id ?? newId(), type, target: target.target, problems: [], refreshedAt: null },
    entities: loaded.entities.map(({ entity }) => entity),
    exists: known !== null,
  };
}

/** The files are read before any transaction begins; a few locations at a time in one process. */
async function readNow(
  ctx: RegisterContext,
  target: LocationTarget,
  known: LocationRow | null,
): Promise<LoadedLocation> {
  if (readings >= maxReadings) {
    throw builderFailure("BUILDER_BUSY", {
      message: `${maxReadings} locations are being read already.`,
      retryAfterSeconds: busyRetrySeconds,
    });
  }
  readings += 1;
  try {
    const loaded = await loadLocation(ctx.builder, target, { signal: ctx.signal });
    const location = known ?? { bringsPeople: mayBringPeople(ctx.actor) };
    const isOpen = takesPeople(location, ctx.builder.settings.catalogue);
    const problems = [...(loaded?.problems ?? []), ...(isOpen ? [] : peopleProblems(loaded?.entities ?? []))];
    if (loaded !== null && problems.length === 0) return loaded;
    const message = `The location cannot be registered: ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}.`;
    throw builderFailure("BUILDER_INVALID_LOCATION", { message, problems });
  } finally {
    readings -= 1;
  }
}

let readings = 0;

async function refuseTooMany({ builder }: RegisterContext): Promise<void> {
  if ((await countLocations(builder.database.kysely)) < maxLocations) return;
  const message = `The catalogue has ${maxLocations} locations, which is as many as it takes.`;
  throw builderFailure("BUILDER_INVALID_LOCATION", { message, problems: [{ where: "/target", message }] });
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
  return (await listLocations(ctx.builder.database.kysely, maxLocations)).map(locationView);
}

export async function getLocation(ctx: BuilderContext, id: string): Promise<LocationView> {
  const row = isUuid(id) ? await readLocation(ctx.builder.database.kysely, id) : null;
  if (row === null) throw unknownLocation(id);
  return locationView(row);
}

export async function getLocationOfEntity(ctx: BuilderContext, name: EntityRef): Promise<LocationView> {
  const ref = stringifyRef(name);
  const row = await readLocationOfEntity(ctx.builder.database.kysely, ref);
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

/** Has the location of an entity read again soon. */
export async function refreshEntity(ctx: BuilderContext, ref: string): Promise<void> {
  const db = ctx.builder.database.kysely;
  const normal = normalRef(ref);
  const row = normal === null ? null : await readLocationOfEntity(db, normal);
  if (row === null) throw unknownEntity(ref);
  await wantRefresh(db, row.id, ctx.now());
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
