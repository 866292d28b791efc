/**
 * Limits that hold for all processes together. Each process takes a share of every limit that it needs, by what it needs, and
 * counts against its share in memory; so no request and no task asks the database. Shares change in rounds: once a second
 * (every five while a process is alone), or when a process waits. A share grows only by what nobody holds, under one lock,
 * so the sum never exceeds the limit. While the database is away a process keeps its shares. One that did not run for a
 * while begins nothing until its next round, for others may have taken its shares meanwhile.
 */
import { inTransaction, type Database } from "../db/database.ts";
import { startRounds, type Rounds } from "../jobs/rounds.ts";
import { DatabaseWait } from "../lib/database-wait.ts";
import { withinDatabaseWait } from "../lib/request-scope.ts";
import { newId } from "../lib/ids.ts";
import type { Logger } from "../lib/logger.ts";
import { createConcurrency, type AtOnceSource, type Concurrency, type Shares } from "./concurrency.ts";
import { isWaiting } from "./divide.ts";
import { planShares, type Decision, type View, type Want } from "./plan-round.ts";
import { createRates, type DivisibleRate, type Rates } from "./rates.ts";
import {
  limitsChannel,
  lockShares,
  memberLeaseMs,
  notifyMembers,
  readView,
  removeMember,
  writeMembers,
  writeShares,
} from "./store.ts";

export interface SharedLimits {
  /** Divides limits of what is at work at once. */
  atOnce(source: AtOnceSource): Shares;
  /** Divides a rate of each caller's requests, which this process answers from now on. */
  rate(limit: DivisibleRate): Promise<void>;
  /** This process lives as long as this worker. */
  liveAs(workerId: string): void;
  close(): Promise<void>;
}

export interface SharedLimitsOptions {
  database: Database;
  log: Logger;
  roundMs?: number;
  /** For how long a dead member's shares are retained, so that what it has begun is taken over first. */
  goneMs?: number;
}

const usualRoundMs = 1_000;
const usualGoneMs = 1_000;
/** Its lease, see store.ts, is longer than this many rounds. */
const aloneFactor = 5;
/** Processes that wait for shares cause at most one round in this time. */
const gatherMs = 20;
/** Where a limit has fewer places than processes that wait, others come first after this time. */
const rotationMs = 5_000;
/** How long a stop waits for its rows to go; others remove what stays. */
const closeTimeoutMs = 1_000;

export function openSharedLimits(options: SharedLimitsOptions): SharedLimits {
  const own: Own = { id: newId(), workerId: null, hasJoined: false };
  let rounds: Rounds | undefined;
  let listening: Promise<(() => void) | void> | undefined;
  let isClosed = false;
  const wake = (): void => rounds?.wake();
  const concurrency = createConcurrency(wake);
  const rates = createRates(own.id, wake);
  const parts = { concurrency, rates };
  /** Until it has succeeded each round tries it again. */
  const listen = (): void => {
    if (isClosed) return;
    const { database, log } = options;
    listening ??= database.listener
      .listen(limitsChannel, (member) => {
        if (member !== own.id) wake();
      })
      .catch((error: Error) => {
        listening = undefined;
        log.warn({ reason: error.message }, "notices of shared limits do not arrive");
      });
  };
  const round = (): Promise<"idle" | void> => {
    listen();
    return runRound(options, own, parts).finally(() => concurrency.hasRun());
  };
  /** The first need of a share begins the rounds; a process that needs none never writes a row. */
  const begin = (): Promise<void> => {
    if (isClosed) return Promise.resolve();
    const { log, roundMs = usualRoundMs } = options;
    rounds ??= startRounds({
      round,
      idleMs: roundMs,
      restMs: roundMs * aloneFactor,
      gatherMs,
      log,
      what: "the shared limits",
    });
    return rounds.first;
  };

  return {
    atOnce(source) {
      concurrency.join({ ...source, begin: () => void begin() });
      return concurrency.shares;
    },
    async rate(limit) {
      if (limit.perMinute === 0) return;
      rates.join(limit);
      wake();
      await begin();
    },
    liveAs(workerId) {
      own.workerId = workerId;
      own.hasJoined = false;
      wake();
    },
    async close() {
      isClosed = true;
      concurrency.close();
      await rounds?.close();
      (await listening)?.();
      if (!own.hasJoined) return;
      const leave = (): Promise<void> => removeMember(options.database.db, own.id);
      await withinDatabaseWait(new DatabaseWait(closeTimeoutMs), leave).catch(() => undefined);
    },
  };
}

interface Own {
  id: string;
  workerId: string | null;
  /** Whether its row says what it is now. */
  hasJoined: boolean;
}

interface Parts {
  concurrency: Concurrency;
  rates: Rates;
}

async function runRound(options: SharedLimitsOptions, own: Own, parts: Parts): Promise<"idle" | void> {
  const { database, goneMs = usualGoneMs } = options;
  const seen = await readView(database.db);
  const planned = plan(seen, own, parts);
  const isDue = !own.hasJoined || hasMembersToWrite(seen, own, goneMs);
  if (!isDue && planned.dropped.length === 0 && !planned.decisions.some(({ isChanged }) => isChanged)) {
    apply(planned, parts);
    return isAlone(seen, own) ? "idle" : undefined;
  }
  // What is given back is not used any more before others are told so.
  tighten(planned, parts);
  const { rates } = parts;
  const written = await inTransaction(database, async (tx) => {
    await lockShares(tx);
    await writeMembers(tx, { id: own.id, workerId: own.workerId, serves: rates.serves() }, goneMs);
    const current = plan(await readView(tx), own, parts);
    tighten(current, parts);
    const changed = current.decisions.filter(({ isChanged }) => isChanged);
    await writeShares(tx, own.id, { written: changed, dropped: current.dropped, period: current.period });
    const isNews = changed.some(({ concernsOthers }) => concernsOthers) || isDue;
    if (isNews) await notifyMembers(tx, own.id);
    return current;
  });
  own.hasJoined = true;
  apply(written, parts);
}

interface Planned {
  period: number;
  view: View;
  decisions: Decision[];
  dropped: string[];
}

function plan(view: View, own: Own, { concurrency, rates }: Parts): Planned {
  const window = rates.window(view);
  const mine = view.shares.filter(({ memberId }) => memberId === own.id);
  const wants: Want[] = [...concurrency.wants(mine), ...rates.wants(view, window)];
  const rotation = Math.floor(view.nowMs / rotationMs);
  const dropped = concurrency.idle(view.shares.filter((row) => row.memberId !== own.id && isWaiting(row)));
  const retained = wants.filter(({ name, period }) => period > 0 || !dropped.includes(name));
  return {
    period: window.period,
    view,
    decisions: planShares(view, retained, { own: own.id, rotation }),
    dropped,
  };
}

function tighten({ decisions, dropped }: Planned, { concurrency }: Parts): void {
  concurrency.tighten(decisions, dropped);
}

function apply(planned: Planned, { concurrency, rates }: Parts): void {
  concurrency.apply(planned.decisions);
  rates.apply(planned.view, planned.decisions);
}

/**
 * Whether rounds may be rare: no other process is a member, and one that joins notifies this one. A process without workers may
 * not, for its rounds write its heartbeat.
 */
const isAlone = ({ members }: View, { workerId }: Own): boolean => workerId !== null && members.length === 1;

/** Its own heartbeat, and what nobody has yet done about members that died. */
function hasMembersToWrite({ members, nowMs }: View, own: Own, goneMs: number): boolean {
  const mine = members.find(({ id }) => id === own.id);
  if (mine === undefined || mine.goneMs !== null) return true;
  if (own.workerId === null && nowMs - mine.heartbeatMs > memberLeaseMs / 3) return true;
  return members.some(({ id, isDead, goneMs: at }) =>
    id === own.id ? false : at === null ? isDead : nowMs - at > goneMs,
  );
}
