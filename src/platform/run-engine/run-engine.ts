/**
 * The engine of work that is long and must never be lost, doubled or stuck. It claims open work when it is notified, and
 * in every sweep the work of dead workers and what no notice arrived for; so a lost notice costs a moment, never the work.
 */
import { isDatabaseAway } from "../db/failures.ts";
import type { Listener } from "../db/listener.ts";
import { startRounds, type Rounds } from "../jobs/rounds.ts";
import { openTogether } from "../lib/opened.ts";
import {
  createDrivenWorks,
  type ClaimedWork,
  type DrivenWork,
  type DrivenWorkOptions,
  type DrivenWorks,
} from "./driven-work.ts";

export interface ClaimQuery {
  workerId: string;
  /** What this worker drives or is claiming. None of these is claimed again before its drive has ended, even if it was reopened meanwhile. */
  driving: string[];
  /** Owners who have reached their limit. */
  full: string[];
  limit: number;
}

export interface RunEngineOptions<Claimed extends ClaimedWork, Driven extends DrivenWork> extends Omit<
  DrivenWorkOptions<Claimed, Driven>,
  "onOver" | "onControlUnread"
> {
  listener: Pick<Listener, "listen">;
  /** The lease of this process, see platform/jobs/worker-lease.ts. */
  workerId: string;
  /** Interval of the sweep. */
  sweepMs: number;
  /** Notices of open work within this time cause one claim. */
  gatherMs?: number;
  /** Notified with the id of work of which something is requested. */
  controlChannel: string;
  /** Claims in one statement when it is notified, and in every sweep. */
  open?: { channel: string; claim: (query: ClaimQuery) => Promise<Claimed[]> };
  /** Claims one work; null when it is not open, or another live worker drives it. */
  claimOne?: (id: string) => Promise<Claimed | null>;
  /** Finds, in every sweep, work whose worker is gone; each is claimed by `claimOne`. */
  findAbandoned?: (query: ClaimQuery) => Promise<{ id: string; owner?: string }[]>;
  /**
   * Whether no work is open or under way in any process. Then sweeps only ask this, every five seconds, until it is not so any
   * more or a notice arrives: an idle process is to cost next to nothing.
   */
  isQuiet?: () => Promise<boolean>;
  /** Notified soon after another process has begun work: then this one sweeps again, lest the other dies. */
  begunChannel?: string;
  /** What the area does at the beginning of every sweep, with the message where it fails. */
  beforeSweep?: readonly { run: (engine: RunEngine<Driven>) => Promise<void>; failure: string }[];
  /** Called when work is over, unless the process stops. */
  onOver?: (engine: RunEngine<Driven>) => void;
}

export interface RunEngine<Driven extends DrivenWork> {
  driving(): number;
  driven(): Driven[];
  capacity(): number;
  untilCapacity(): Promise<void>;
  /** Claims and drives one work; resolves when the claim is decided, not when the work is over. */
  take(id: string): Promise<void>;
  /** Looks for open work soon. */
  wake(): void;
  /** Resolves after the first sweep. */
  firstSweep(): Promise<void>;
  /** Logs an error unless the process stops. */
  report(error: Error, message: string): void;
  close(graceMs: number): Promise<void>;
}

/** A notice of new work ends a rest at once; this interval serves work whose process died before it sent the notice. */
const restMs = 15_000;
/** Each claim needs a connection; after a start, opening one takes as long as several claims. */
const claimsAtOnce = 2;

export async function startRunEngine<Claimed extends ClaimedWork, Driven extends DrivenWork>(
  options: RunEngineOptions<Claimed, Driven>,
): Promise<RunEngine<Driven>> {
  const { log, name, listener, sweepMs, open, begunChannel } = options;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let rounds: Rounds | undefined;
  const rest = createRest(
    async () => works.count() === 0 && options.isQuiet !== undefined && (await options.isQuiet()),
  );
  const wake = (): void => {
    rest.end();
    rounds?.wake();
  };
  const works = createDrivenWorks({
    ...options,
    onOver() {
      // There may be open work for the place that is free now, or the same work is open again.
      if (open !== undefined) wake();
      options.onOver?.(engine);
    },
    onControlUnread() {
      if (rest.isOn()) wake();
    },
  });
  const report = (error: Error, message: string): void => {
    if (!works.isClosed()) log.warn({ reason: error.message }, message);
  };
  const claims = createClaims(options, works);
  const reportUnread = (error: Error): void => report(error, `what was requested of ${name} is not known`);
  const round = async (): Promise<void> => {
    await works.readControlAgain().catch(reportUnread);
    if (rest.isOn()) await rest.decide();
    if (rest.isOn()) return;
    const isSweep = performance.now() - sweptAt >= sweepMs;
    if (isSweep) {
      sweptAt = performance.now();
      for (const { run, failure } of options.beforeSweep ?? [])
        await run(engine).catch((error: Error) => report(error, failure));
    }
    await claims.open();
    if (!isSweep) return;
    await claims.abandoned();
    await rest.decide();
  };

  const engine: RunEngine<Driven> = {
    driving: works.count,
    driven: works.driven,
    capacity: works.capacity,
    untilCapacity: works.untilCapacity,
    // There is work, also where it could not be claimed.
    take: (id) => claims.take(id).finally(() => rest.isOn() && wake()),
    wake,
    firstSweep: async () => rounds?.first,
    report,
    async close(graceMs) {
      const closing = works.close(graceMs);
      for (const stop of stops) stop();
      await Promise.all([closing, rounds?.close()]);
    },
  };
  const stops = await openTogether(log, (opened) => {
    const listen = (channel: string, notice: (payload: string | null) => void): Promise<() => void> =>
      opened.open(
        `the listening on ${channel}`,
        () => listener.listen(channel, notice),
        (stop) => stop(),
      );
    const onControl = (id: string | null): void => void works.notice(id).catch(reportUnread);
    return Promise.all([
      listen(options.controlChannel, onControl),
      ...(open === undefined ? [] : [listen(open.channel, wake)]),
      ...(begunChannel === undefined
        ? []
        : [listen(begunChannel, () => (rest.isOn() ? wake() : rest.end()))]),
    ]);
  });
  const { gatherMs } = options;
  const idleMs = (): number => (rest.isOn() ? Math.max(restMs, sweepMs) : sweepMs);
  rounds = startRounds({ round, idleMs, gatherMs, log, what: `the claims of ${name}` });
  return engine;
}

function createRest(isQuiet: () => Promise<boolean>) {
  let isOn = false;
  let hasEnded = false;
  return {
    isOn: () => isOn,
    end(): void {
      isOn = false;
      hasEnded = true;
    },
    /** Rests while there is no work, unless a notice of some has come while that was asked. */
    async decide(): Promise<void> {
      hasEnded = false;
      const wasQuiet = await isQuiet();
      isOn = wasQuiet && !hasEnded;
    },
  };
}

function createClaims<Claimed extends ClaimedWork, Driven extends DrivenWork>(
  { log, name, idField, workerId, open, claimOne, findAbandoned }: RunEngineOptions<Claimed, Driven>,
  works: DrivenWorks<Claimed, Driven>,
) {
  const take = (id: string, owner?: string): Promise<void> =>
    works.take(id, async () => (await claimOne?.(id)) ?? null, owner);
  return {
    take,
    async open(): Promise<void> {
      for (;;) {
        const { limit, full } = works.capacityOfOwners();
        if (open === undefined || limit <= 0 || works.isClosed()) return;
        const query = { workerId, driving: works.ids(), full, limit };
        if ((await works.takeAll(() => open.claim(query))) < limit) return;
      }
    },
    async abandoned(): Promise<void> {
      const limit = works.capacity();
      if (findAbandoned === undefined || limit <= 0 || works.isClosed()) return;
      const { full } = works.capacityOfOwners();
      const found = await findAbandoned({ workerId, driving: works.ids(), full, limit });
      const claimNext = async (): Promise<void> => {
        for (let next = found.shift(); next; next = found.shift()) {
          const { id, owner } = next;
          const isFull = owner !== undefined && works.capacityOfOwners().full.includes(owner);
          // A refused claim of one piece of work keeps none of the others back.
          if (!isFull)
            await take(id, owner).catch((error: Error) => {
              if (isDatabaseAway(error)) throw error;
              log.warn({ [idField]: id, reason: error.message }, `${name} could not be claimed`);
            });
        }
      };
      await Promise.all(Array.from({ length: claimsAtOnce }, claimNext));
    },
  };
}
