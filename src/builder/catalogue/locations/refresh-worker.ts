/** Reads locations again: those that are due, those with a requested refresh, and new ones. */
import { inTransaction } from "../../../platform/db/database.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import { startRowWorker, type RowWorker } from "../../../platform/jobs/row-worker.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { BuilderDeps } from "../../context.ts";
import { loadLocation } from "../sources/load-location.ts";
import type { LoadDeps } from "../sources/read-entities.ts";
import { nextRefresh } from "./service.ts";
import {
  catalogueChannel,
  extendLease,
  failReading,
  releaseReading,
  takeDueLocations,
  type LocationRow,
} from "./store.ts";
import { writeReading } from "./write-reading.ts";

export type RefreshDeps = Pick<BuilderDeps, "database"> & LoadDeps;

export interface RefreshOptions {
  deps: RefreshDeps;
  log: Logger;
  now: () => Date;
  /** Interval of the poll for locations that are due. */
  sweepMs?: number;
}

const usualSweepMs = 5_000;
/** Locations that this process reads concurrently. */
const atATime = 2;
const firstRetryMs = 10_000;

/** Rows are claimed with `skip locked`, so only one process reads each location. */
export function startRefreshWorker(options: RefreshOptions): Promise<RowWorker> {
  const { deps, log, now, sweepMs = usualSweepMs } = options;
  return startRowWorker<LocationRow>({
    log,
    name: "locations of the catalogue",
    idleMs: sweepMs,
    parallel: atATime,
    claim({ limit }) {
      const at = now();
      // If this process dies, the lease expires and another poll claims the location; reading extends the
      // lease.
      const leaseUntil = new Date(at.getTime() + leaseMs(deps));
      return takeDueLocations(deps.database.db, { now: at, leaseUntil, limit });
    },
    async work(location, signal) {
      await refreshLocation(options, location, signal);
      return null;
    },
    describe: ({ id }) => ({ locationId: id }),
    listener: deps.database.listener,
    channels: [catalogueChannel],
  });
}

const leaseMs = ({ settings }: RefreshDeps): number => 2 * settings.catalogue.readTimeoutMs;

/** Called with every file; writes at most twice per lease. `onLost` is called when another reading has begun or is due. */
function leaseExtender(
  { deps, log, now }: RefreshOptions,
  location: LocationRow,
  onLost: () => void,
): () => void {
  let extendedAt = now().getTime();
  return () => {
    const at = now().getTime();
    if (at - extendedAt < leaseMs(deps) / 2) return;
    extendedAt = at;
    const until = new Date(at + leaseMs(deps));
    extendLease(deps.database.db, location, until).then(
      (isHeld) => isHeld || onLost(),
      (error: Error) =>
        log.warn({ locationId: location.id, reason: error.message }, "a lease could not be extended"),
    );
  };
}

/**
 * Reads one claimed location. If it cannot be read, the stored entities stay unchanged. A reading that another has replaced
 * changes nothing, and ends early where it is long.
 */
async function refreshLocation(
  options: RefreshOptions,
  location: LocationRow,
  stopping: AbortSignal,
): Promise<void> {
  const { deps, now } = options;
  const { database, settings } = deps;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  try {
    const onProgress = leaseExtender(options, location, () => lost.abort());
    const loaded = await loadLocation(deps, location, {
      signal,
      knownVersion: location.version,
      onProgress,
    });
    const at = now();
    const nextRefreshAt = nextRefresh(at, settings.catalogue);
    const reading = { location, loaded, at, nextRefreshAt, settings: settings.catalogue };
    await inTransaction(database, (tx) => writeReading(tx, reading));
  } catch (error) {
    if (stopping.aborted) return await giveBack(options, location, now());
    if (lost.signal.aborted) return;
    await storeFailure(options, location, error);
  }
}

/** `at` is when it is to be read again. */
async function giveBack({ deps, log }: RefreshOptions, location: LocationRow, at: Date): Promise<void> {
  await releaseReading(deps.database.db, location, at).catch((error: Error) =>
    log.warn({ locationId: location.id, reason: error.message }, "a location could not be given back"),
  );
}

async function storeFailure(options: RefreshOptions, location: LocationRow, error: unknown): Promise<void> {
  const { deps, log, now } = options;
  const message = "The location could not be read, for a reason that is in the log of the server.";
  const isCurrent = await failReading(deps.database.db, location, {
    problems: error instanceof Failure ? error.problems : [{ where: "/target", message }],
    at: now(),
    firstWaitMs: firstRetryMs,
    refreshMs: deps.settings.catalogue.refreshMs,
  }).catch(async (failure: Error) => {
    log.warn({ reason: failure.message }, "the failure of a refresh could not be stored");
    // Otherwise a refresh that is requested would wait for the end of this reading, which is over.
    await giveBack(options, location, new Date(now().getTime() + firstRetryMs));
    return true;
  });
  if (isCurrent) log.warn({ locationId: location.id, reason: String(error) }, "a location could not be read");
}
