/**
 * The long work that this process drives: claims it within the capacity, passes control notices on, releases what
 * is left unfinished, and hands everything over at a stop. All durable state is in the rows of the area, whose fence
 * refuses every write of a worker that has lost its claim.
 */
import type { Logger } from "../lib/logger.ts";
import { linesOfOrigin, type RequestOrigin } from "../lib/request-lines.ts";
import { beginFound } from "../jobs/rounds.ts";
import { createEntries, type Entries, type Entry } from "./entries.ts";

/** A row as it was claimed. */
export interface ClaimedWork extends Partial<RequestOrigin> {
  id: string;
  fence: number;
}

/** Handle of claimed work that is being driven. */
export interface DrivenWork {
  /**
   * Resolves with `over` when this worker has nothing left to do (the work has ended, waits for somebody, or belongs to
   * another worker), and with `unfinished` when any worker may claim it. A rejection is logged and counts as `unfinished`.
   */
  done: Promise<"over" | "unfinished">;
  /** Starts nothing more; what runs may finish until `halt`. */
  handOver(): void;
  halt(): void;
}

export interface DrivenWorkOptions<Claimed extends ClaimedWork, Driven extends DrivenWork> {
  log: Logger;
  /** What the log calls the work, for example "a plan", and the field of its id there. */
  name: string;
  idField: string;
  /** Works driven at once. */
  parallel: number;
  /** How many of them may be of one owner; needs `ownerOf`. */
  parallelPerOwner?: number;
  ownerOf?: (claimed: Claimed) => string;
  drive: (claimed: Claimed) => Driven;
  /** Frees the row for any worker, if the claim's fence still holds. With what the drive was rejected with, if it was. */
  release: (claimed: Claimed, error?: unknown) => Promise<void>;
  /** Reads what has been requested of these works (a termination, a cancellation), and passes it on to them. */
  control: (driven: ReadonlyMap<string, Driven>) => Promise<void>;
  /** Called when work is over, unless the process stops. */
  onOver?: () => void;
  /** Called when what has been requested could not be read: `readControlAgain` is due soon. */
  onControlUnread?: () => void;
}

type Seen<Driven> = Pick<
  Entries<Driven>,
  "ids" | "driven" | "count" | "capacity" | "capacityOfOwners" | "untilCapacity"
>;

export interface DrivenWorks<Claimed extends ClaimedWork, Driven extends DrivenWork> extends Seen<Driven> {
  /** Claims and drives one work unless it is driven here already; resolves when the claim is decided. */
  take(id: string, claim: () => Promise<Claimed | null>, owner?: string): Promise<void>;
  /** Drives all that one statement claims, and returns how many these are. */
  takeAll(claim: () => Promise<Claimed[]>): Promise<number>;
  /** A control notice for one work, or for all of them where notices may have been lost. */
  notice(id: string | null): Promise<void>;
  /** Reads again what has been requested of the works for which that has failed. */
  readControlAgain(): Promise<void>;
  isClosed(): boolean;
  /** Claims nothing more, gives what runs `graceMs` to finish, and releases the rest. */
  close(graceMs: number): Promise<void>;
}

/** A claim under way, with the control notices that arrived meanwhile. */
interface Claim {
  noticed: Set<string>;
  isAllNoticed: boolean;
}

const releaseRetryMs = 500;
const releaseAttempts = 240;
/** At a stop the worker's lease ends soon, and with it every claim that was not released. */
const releaseAttemptsAtStop = 4;

// oxlint-disable-next-line max-lines-per-function -- its parts share what is driven
export function createDrivenWorks<Claimed extends ClaimedWork, Driven extends DrivenWork>(
  options: DrivenWorkOptions<Claimed, Driven>,
): DrivenWorks<Claimed, Driven> {
  const { log, idField, parallel, parallelPerOwner = parallel } = options;
  const entries = createEntries<Driven>(parallel, parallelPerOwner);
  const claims = new Set<Claim>();
  /** Ids of works for which reading what has been requested has failed. */
  const unread = new Set<string>();
  const { track, untilSettled } = trackWork();
  let closed = false;
  const isClosed = (): boolean => closed;

  const untilOver = async (claimed: Claimed, driven: Driven, entry: Entry<Driven>): Promise<void> => {
    const { end, error } = await untilEnd(options, claimed, driven);
    if (end === "unfinished") await release(options, claimed, { isClosed, error });
    entries.leave(claimed.id, entry);
    if (end === "over" && !closed) options.onOver?.();
  };
  const passControl = async (ids: readonly string[]): Promise<void> => {
    const asked = new Map<string, Driven>();
    for (const id of ids) {
      const driven = entries.get(id)?.driven;
      if (driven) asked.set(id, driven);
    }
    if (asked.size === 0) return;
    try {
      await options.control(asked);
    } catch (error) {
      for (const id of asked.keys()) unread.add(id);
      options.onControlUnread?.();
      throw error;
    }
  };
  const drive = (claimed: Claimed, { noticed, isAllNoticed }: Claim): void => {
    const { id } = claimed;
    const driven = options.drive(claimed);
    const entry: Entry<Driven> = { driven, owner: options.ownerOf?.(claimed) };
    entries.enter(id, entry);
    void track(untilOver(claimed, driven, entry));
    if (!isAllNoticed && !noticed.has(id)) return;
    passControl([id]).catch((error: Error) =>
      log.warn({ [idField]: id, reason: error.message }, "a control notice could not be passed on"),
    );
  };
  /** Work that is claimed when the stop has begun is released at once. */
  const takeClaimed = async (claim: () => Promise<Claimed[]>): Promise<number> => {
    const current: Claim = { noticed: new Set(), isAllNoticed: false };
    claims.add(current);
    const since = Date.now();
    try {
      const claimed = await claim();
      if (closed) await Promise.all(claimed.map((each) => release(options, each, { isClosed })));
      else if (claimed.length > 0)
        beginFound({ name: options.name, since, count: claimed.length }, () => {
          for (const each of claimed) drive(each, current);
        });
      return claimed.length;
    } finally {
      claims.delete(current);
    }
  };

  return {
    ...entries,
    isClosed,
    async take(id, claim, owner) {
      if (closed || entries.get(id)) return;
      const reserved: Entry<Driven> = { driven: null, owner };
      entries.enter(id, reserved);
      try {
        await track(takeClaimed(async () => [await claim()].filter((claimed) => claimed !== null)));
      } finally {
        entries.leave(id, reserved);
      }
    },
    takeAll: async (claim) => (closed ? 0 : track(takeClaimed(claim))),
    notice(id) {
      for (const claim of claims) {
        if (id === null) claim.isAllNoticed = true;
        else claim.noticed.add(id);
      }
      return passControl(id === null ? entries.ids() : [id]);
    },
    readControlAgain() {
      const ids = [...unread];
      unread.clear();
      return passControl(ids);
    },
    async close(graceMs) {
      closed = true;
      entries.letGo();
      const open = entries.driven();
      for (const each of open) each.handOver();
      const halt = setTimeout(() => open.forEach((each) => each.halt()), graceMs);
      await untilSettled();
      clearTimeout(halt);
    },
  };
}

/** Claims and drives under way. */
function trackWork() {
  /** None of them rejects. */
  const underWay = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    const settled: Promise<unknown> = work.catch(() => {}).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return work;
  };
  /** Also for work that is begun meanwhile. */
  const untilSettled = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
  return { track, untilSettled };
}

type Logged = Pick<DrivenWorkOptions<ClaimedWork, DrivenWork>, "log" | "name" | "idField">;

async function untilEnd(
  { log, name, idField }: Logged,
  claimed: ClaimedWork,
  { done }: DrivenWork,
): Promise<{ end: "over" | "unfinished"; error?: unknown }> {
  try {
    return { end: await done };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    linesOfOrigin(claimed, log).error(
      { [idField]: claimed.id, reason },
      `${name} is released after an error`,
    );
    return { end: "unfinished", error };
  }
}

type Release<Claimed> = (claimed: Claimed, error?: unknown) => Promise<void>;

/** Tries again, because no other worker claims what a live worker holds. */
async function release<Claimed extends ClaimedWork>(
  { log, name, idField, release: write }: Logged & { release: Release<Claimed> },
  claimed: Claimed,
  { isClosed, error: cause }: { isClosed: () => boolean; error?: unknown },
): Promise<void> {
  for (let attempt = 1; attempt <= (isClosed() ? releaseAttemptsAtStop : releaseAttempts); attempt++) {
    try {
      return await write(claimed, cause);
    } catch (error) {
      const { message: reason } = error as Error;
      linesOfOrigin(claimed, log).warn(
        { [idField]: claimed.id, reason },
        `${name} could not be released; trying again`,
      );
      await new Promise((next) => setTimeout(next, releaseRetryMs));
    }
  }
}
