/**
 * Makes outgoing events of settled stored events. A stored event that fails is skipped for good, so that the others go on. If the
 * events after it fail as well, something else is broken: then all of them wait until it is mended, because a skipped event is
 * never sent.
 */
import { inTransaction, type Database, type Db } from "../../../platform/db/database.ts";
import { isDatabaseAway } from "../../../platform/db/failures.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { systemContext } from "../../../platform/lib/request-context.ts";
import { writeAudit } from "../../context.ts";
import { unitStatusAtRest } from "../../units/status.ts";
import type { UnitKey } from "../../units/store.ts";
import { cloudEvents, type OutgoingEvent, type SourceEvent } from "./cloud-event.ts";
import {
  insertOutgoing,
  lockPosition,
  readNext,
  readSource,
  setPosition,
  withoutEffect,
} from "./source-store.ts";

export interface MakeDeps {
  database: Database;
  log: Logger;
  now: () => Date;
  /** The CloudEvents `source`. */
  source: string;
  rootProvisioning: boolean;
}

const sourcePage = 500;
/** Attempts of one event by itself, until it is left out: with the pauses between them they take a minute. */
const maxFailures = 5;
/** Events behind it that are tried, until one can be made. */
const maxProbed = 100;
const firstPauseMs = 4_000;
const longestPauseMs = 60_000;

/** Makes those of one page up to that id; true when there may be more at once. */
export type MakeOutgoing = (upTo: number) => Promise<boolean>;

/** After a failure, pages become smaller until the event that fails is alone in one. */
export function createMaker(deps: MakeDeps): MakeOutgoing {
  const { log, now } = deps;
  let limit = sourcePage;
  let failed = noFailure;
  return async (upTo) => {
    // By the distance, so that a clock that is set back pauses for no longer.
    if (Math.abs(now().getTime() - failed.at) < failed.pauseMs) return false;
    let after = -1;
    try {
      const page = await makePage(deps, { upTo, limit, onPosition: (position) => (after = position) });
      if (page !== "none") limit = Math.min(2 * limit, sourcePage);
      return page === "full";
    } catch (error) {
      if (isDatabaseAway(error) || after < 0) throw error;
      const reason = (error as Error).message;
      if (limit > 1) {
        limit = Math.floor(limit / 2);
        log.warn(
          { afterEvent: after, limit, reason },
          "events could not be made for webhooks; fewer are tried",
        );
        return true;
      }
      failed = nextFailure(failed, after, now());
      const fields = { afterEvent: after, attempts: failed.count, pauseMs: failed.pauseMs, reason };
      log.warn(fields, "an event could not be made for webhooks");
      if (failed.count < maxFailures || !(await leaveOut(deps, { after, upTo, reason }))) return false;
      failed = noFailure;
      return true;
    }
  };
}

/** Failures in a row of the event after that position. */
interface Failed {
  after: number;
  count: number;
  /** When the last one was, in milliseconds since 1970. */
  at: number;
  pauseMs: number;
}

const noFailure: Failed = { after: -1, count: 0, at: 0, pauseMs: 0 };

function nextFailure(before: Failed, after: number, at: Date): Failed {
  const count = before.after === after ? before.count + 1 : 1;
  const pauseMs = Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs);
  return { after, count, at: at.getTime(), pauseMs };
}

interface Page {
  upTo: number;
  limit: number;
  /** Told the position after which the page is read. */
  onPosition: (position: number) => void;
}

/** Whether it was full, or there was none: nothing is new, or another process makes it. */
async function makePage(
  deps: MakeDeps,
  { upTo, limit, onPosition }: Page,
): Promise<"full" | "last" | "none"> {
  return inTransaction(deps.database, async (tx) => {
    const held = await lockPosition(tx);
    if (held?.position == null || upTo <= held.position) return "none";
    onPosition(held.position);
    const page = await readSource(tx, { after: held.position, upTo, limit });
    await makeOf(deps, tx, { events: page, instance: held.instance });
    const isFull = page.length === limit;
    await setPosition(tx, isFull ? (page.at(-1)?.id ?? upTo) : upTo);
    return isFull ? "full" : "last";
  });
}

interface Source {
  events: readonly SourceEvent[];
  instance: string;
}

/** Returns how many outgoing events were made of them. */
async function makeOf(deps: MakeDeps, tx: Db, { events, instance }: Source): Promise<number> {
  const origin = { source: deps.source, instance };
  const made: OutgoingEvent[] = [];
  for (const event of events) {
    const at = changedUnit(event);
    const whole = at ? { ...event, unitStatus: await unitStatusAtRest(deps, at) } : event;
    made.push(...cloudEvents(whole, origin));
  }
  await insertOutgoing(tx, made);
  return made.length;
}

/** The unit whose status the event may have changed. */
function changedUnit({ type, planKind, unitKey, environment, data }: SourceEvent): UnitKey | null {
  if (unitKey === null) return null;
  if (type === "component") return { unitKey, environment: String(data["environment"]) };
  return type === "plan" && planKind === "PROVISIONING" && environment !== null
    ? { unitKey, environment }
    : null;
}

interface Left {
  after: number;
  upTo: number;
  reason: string;
}

/**
 * Moves past the next event, unless another process has done that, or none of those behind it can be made either. The audit keeps
 * which one it was. Returns whether it has moved.
 */
async function leaveOut(deps: MakeDeps, { after, upTo, reason }: Left): Promise<boolean> {
  const { database, log, now } = deps;
  const left = await inTransaction(database, async (tx: Db) => {
    const held = await lockPosition(tx);
    if (held?.position !== after) return null;
    const event = await readNext(tx, { after, upTo });
    if (event === null) return null;
    const { id, type, stream } = event;
    const behind = await readSource(tx, { after: id, upTo, limit: maxProbed });
    if (!(await canMakeAny(deps, tx, { events: behind, instance: held.instance }))) {
      log.error(
        { ...event, reason },
        "no event can be made for webhooks: all wait until the cause is mended",
      );
      return null;
    }
    await setPosition(tx, id);
    await writeAudit(tx, systemContext(log, now), {
      operation: "leaveOutEvent",
      subject: `event:${id}`,
      detail: { type, stream },
    });
    return event;
  });
  if (left === null) return false;
  log.error({ ...left, reason }, "an event was left out for webhooks: it could not be made again and again");
  return true;
}

/** Whether an outgoing event can be made of one of them; it is not kept. */
async function canMakeAny(deps: MakeDeps, tx: Db, { events, instance }: Source): Promise<boolean> {
  for (const event of events) {
    const made = await withoutEffect(tx, () => makeOf(deps, tx, { events: [event], instance }));
    if (made !== null && made > 0) return true;
  }
  return false;
}
