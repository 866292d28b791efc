/** Rows of locations. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { Problem } from "../../../platform/errors/failure.ts";
import type { LocationTarget } from "../sources/target.ts";

export interface LocationRow extends LocationTarget {
  id: string;
  registeredBy: string;
  /** Whether users and groups are accepted from it. */
  bringsPeople: boolean;
  createdAt: Date;
  refreshedAt: Date | null;
  version: string | null;
  contentHash: string | null;
  problems: Problem[];
  fence: number;
}

const columns =
  sql.raw(`id, type, target, registered_by as "registeredBy", brings_people as "bringsPeople", created_at as "createdAt",
  refreshed_at as "refreshedAt", version, content_hash as "contentHash", problems, fence`);

export interface NewLocation extends LocationTarget {
  id: string;
  registeredBy: string;
  bringsPeople: boolean;
  at: Date;
  /** When a worker reads it; null for not scheduled. */
  nextRefreshAt: Date | null;
}

/** False when the type and target are already registered. */
export async function insertLocation(db: Db, location: NewLocation): Promise<boolean> {
  const { id, type, target, registeredBy, bringsPeople, at, nextRefreshAt } = location;
  const { rows } = await sql`insert into catalogue_locations (id, type, target, registered_by, brings_people,
      created_at, next_refresh_at)
    values (${id}::uuid, ${type}, ${target}, ${registeredBy}, ${bringsPeople}, ${at}, ${nextRefreshAt})
    on conflict (type, target) do nothing returning id`.execute(db);
  return rows.length > 0;
}

export async function readLocation(db: Db, id: string): Promise<LocationRow | null> {
  const { rows } =
    await sql<LocationRow>`select ${columns} from catalogue_locations where id = ${id}::uuid`.execute(db);
  return rows[0] ?? null;
}

export async function readLocationByTarget(
  db: Db,
  { type, target }: LocationTarget,
): Promise<LocationRow | null> {
  const { rows } = await sql<LocationRow>`select ${columns} from catalogue_locations
    where type = ${type} and target = ${target}`.execute(db);
  return rows[0] ?? null;
}

/** The location of an entity, by the entity's reference. */
export async function readLocationOfEntity(db: Db, ref: string): Promise<LocationRow | null> {
  const { rows } = await sql<LocationRow>`select ${columns} from catalogue_locations
    where id = (select location_id from catalogue_entities where ref = ${ref})`.execute(db);
  return rows[0] ?? null;
}

/**
 * Resets the stored version, so that the next read processes everything, and invalidates a read of the old target. Null when
 * the location no longer exists.
 */
export async function changeTarget(
  db: Db,
  { id, type, target, bringsPeople }: LocationTarget & { id: string; bringsPeople: boolean },
): Promise<LocationRow | null> {
  const { rows } = await sql<LocationRow>`update catalogue_locations set type = ${type}, target = ${target},
      brings_people = ${bringsPeople}, version = null, content_hash = null, problems = '[]', failures = 0,
      fence = fence + 1
    where id = ${id}::uuid returning ${columns}`.execute(db);
  return rows[0] ?? null;
}

/** Which of these are registered. */
export async function listRegistered(db: Db, locationRefs: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ ref: string }>`select type || ':' || target as ref from catalogue_locations
    where type || ':' || target = any(${locationRefs}::text[])`.execute(db);
  return new Set(rows.map(({ ref }) => ref));
}

/** Oldest first, so that the list is stable when locations are added. */
export async function listLocations(db: Db, limit: number): Promise<LocationRow[]> {
  const { rows } = await sql<LocationRow>`select ${columns} from catalogue_locations
    order by created_at, id limit ${limit}`.execute(db);
  return rows;
}

export interface FailingLocation {
  id: string;
  failures: number;
}

/** Those whose last readings failed, the longest failing first. */
export async function listFailing(db: Db, limit: number): Promise<FailingLocation[]> {
  const { rows } = await sql<FailingLocation>`select id, failures from catalogue_locations
    where failures >= ${failuresToTell} order by failures desc, id limit ${limit}`.execute(db);
  return rows;
}

/** One that fails once is usually read a moment later. */
const failuresToTell = 2;

export async function countLocations(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from catalogue_locations`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Deletes its entities too. Other locations may contain the same entities, so all of them are read again. */
export async function deleteLocation(db: Db, id: string, at: Date): Promise<LocationRow | null> {
  const { rows } = await sql<LocationRow>`delete from catalogue_locations where id = ${id}::uuid
    returning ${columns}`.execute(db);
  if (rows.length > 0) {
    await sql`update catalogue_locations set next_refresh_at = ${at}, version = null, content_hash = null,
        fence = fence + 1
      where problems::text <> '[]'`.execute(db);
  }
  return rows[0] ?? null;
}

/** Begins a read and invalidates every earlier one. Null when the location no longer exists. */
export async function beginReading(db: Db, id: string): Promise<number | null> {
  const { rows } = await sql<{ fence: number }>`update catalogue_locations set fence = fence + 1
    where id = ${id}::uuid returning fence`.execute(db);
  return rows[0]?.fence ?? null;
}

/**
 * Claims locations that are due; they become due again after the lease unless their read ends earlier. Requests of before are
 * answered by this read.
 */
export async function takeDueLocations(
  db: Db,
  options: { now: Date; leaseUntil: Date; limit: number },
): Promise<LocationRow[]> {
  const { now, leaseUntil, limit } = options;
  const { rows } = await sql<LocationRow>`update catalogue_locations set fence = fence + 1,
      reading_fence = fence + 1, refresh_requested = false, next_refresh_at = ${leaseUntil}
    where id in (select id from catalogue_locations where next_refresh_at <= ${now}
      order by next_refresh_at limit ${limit} for update skip locked)
    returning ${columns}`.execute(db);
  return rows;
}

/**
 * Prevents other processes from claiming the location during the read. False when the read has been invalidated: another has
 * begun or is due.
 */
export async function extendLease(
  db: Db,
  { id, fence }: { id: string; fence: number },
  leaseUntil: Date,
): Promise<boolean> {
  const { rowCount } = await sql`update catalogue_locations set next_refresh_at = ${leaseUntil}
    where id = ${id}::uuid and fence = ${fence}`.execute(db);
  return rowCount === 1;
}

/**
 * Locks the row for the end of its read; false when another read has begun since, or the location is gone.
 */
export async function lockReading(db: Db, id: string, fence: number): Promise<boolean> {
  const { rows } = await sql`select 1 from catalogue_locations where id = ${id}::uuid and fence = ${fence}
    for update`.execute(db);
  return rows.length > 0;
}

export interface ReadingEnd {
  at: Date;
  nextRefreshAt: Date | null;
  problems: readonly Problem[];
  version: string | null;
  contentHash: string | null;
}

export async function endReading(db: Db, id: string, end: ReadingEnd): Promise<void> {
  const { rows } = await sql<{
    isRequested: boolean;
  }>`update catalogue_locations set refreshed_at = ${end.at},
      next_refresh_at = case when refresh_requested then ${end.at} else ${end.nextRefreshAt}::timestamptz end,
      version = case when refresh_requested then null else ${end.version} end,
      failures = 0, problems = ${JSON.stringify(end.problems)}::json, content_hash = ${end.contentHash},
      reading_fence = null
    where id = ${id}::uuid returning refresh_requested as "isRequested"`.execute(db);
  if (rows[0]?.isRequested === true) await wakeWorkers(db, id);
}

/**
 * Gives back a claimed location whose read has ended without a result, to be read again at that time; no change when the read has
 * been invalidated.
 */
export async function releaseReading(
  db: Db,
  { id, fence }: { id: string; fence: number },
  at: Date,
): Promise<void> {
  const { rowCount } = await sql`update catalogue_locations set next_refresh_at = ${at}, reading_fence = null
    where id = ${id}::uuid and fence = ${fence}`.execute(db);
  if (rowCount === 1) await wakeWorkers(db, id);
}

/**
 * Records a failed read: stored entities stay, and the delay grows with each consecutive failure, unless a refresh was requested
 * meanwhile. False, without any change, when the read has been invalidated.
 */
export async function failReading(
  db: Db,
  { id, fence }: { id: string; fence: number },
  {
    problems,
    at,
    firstWaitMs,
    refreshMs,
  }: { problems: readonly Problem[]; at: Date; firstWaitMs: number; refreshMs: number },
): Promise<boolean> {
  const longest = Math.max(refreshMs, 3_600_000);
  const { rowCount } =
    await sql`update catalogue_locations set problems = ${JSON.stringify(problems)}::json, failures = failures + 1,
      version = null, content_hash = null, reading_fence = null, next_refresh_at = ${at}::timestamptz
        + case when refresh_requested then interval '0' else
          make_interval(secs => least(${longest}::float8, ${firstWaitMs}::float8 * 2 ^ least(failures, 20)) / 1000) end
    where id = ${id}::uuid and fence = ${fence}`.execute(db);
  return rowCount === 1;
}

/**
 * Schedules a refresh as soon as possible, whatever was scheduled before. A read under way may have read files from before the
 * request: it ends normally, and another one follows, so that a location that is requested often is taken in all the same. Where its
 * process has died, the refresh waits for the end of its lease. A read by a worker of before migration 0084 is invalidated instead,
 * because its end would schedule the next refresh anew. False when the location no longer exists.
 */
export async function requestRefresh(db: Db, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`update catalogue_locations set version = null, refresh_requested = true,
      next_refresh_at = case when reading_fence = fence then next_refresh_at else ${at} end,
      fence = case when reading_fence = fence then fence else fence + 1 end
    where id = ${id}::uuid returning id`.execute(db);
  if (rows.length > 0) await wakeWorkers(db, id);
  return rows.length > 0;
}

async function wakeWorkers(db: Db, id: string): Promise<void> {
  await sql`select pg_notify(${catalogueChannel}, ${id})`.execute(db);
}

/** Wakes the workers that read locations. */
export const catalogueChannel = "plinth_catalogue";
