/** Makes outgoing events from settled stored events. One of which that fails for good is left out, so that it holds up no other. */
import { inTransaction, type Database, type Db } from "../../../platform/db/database.ts";
import { isDatabaseAway } from "../../../platform/db/failures.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { systemContext } from "../../../platform/lib/request-context.ts";
import { writeAudit } from "../../context.ts";
import { unitStatusAtRest } from "../../units/status.ts";
import type { UnitKey } from "../../units/store.ts";
import { cloudEvents, type SourceEvent } from "./cloud-event.ts";
import { insertOutgoing, lockPosition, readNext, readSource, setPosition } from "./source-store.ts";

export interface MakeDeps {
  database: Database;
  log: Logger;
  now: () => Date;
  /** The CloudEvents `source`. */
  source: string;
  rootProvisioning: boolean;
}

const sourcePage = 500;
/** Rounds in which one event fails by itself, until it is left out. */
const maxFailures = 5;

/** Makes those of one page up to that id; true when there may be more at once. */
export type MakeOutgoing = (upTo: number) => Promise<boolean>;

/** After a failure, pages become smaller until the event that fails is alone in one. */
export function createMaker(deps: MakeDeps): MakeOutgoing {
  let limit = sourcePage;
  const failed = { after: -1, count: 0 };
  return async (upTo) => {
    let after = -1;
    try {
      const page = await makePage(deps, { upTo, limit, onPosition: (position) => (after = position) });
      if (page !== "none") limit = Math.min(2 * limit, sourcePage);
      return page === "full";
    } catch (error) {
      if (isDatabaseAway(error) || after < 0) throw error;
      if (limit > 1) {
        limit = Math.floor(limit / 2);
        return true;
      }
      failed.count = failed.after === after ? failed.count + 1 : 1;
      failed.after = after;
      const reason = (error as Error).message;
      deps.log.warn({ afterEvent: after, reason }, "an event could not be made for webhooks");
      if (failed.count < maxFailures) return false;
      await leaveOut(deps, { after, upTo, reason });
      return true;
    }
  };
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
    const events: SourceEvent[] = [];
    for (const event of page) {
      const at = changedUnit(event);
      events.push(at ? { ...event, unitStatus: await unitStatusAtRest(deps, at) } : event);
    }
    const origin = { source: deps.source, instance: held.instance };
    await insertOutgoing(
      tx,
      events.flatMap((event) => cloudEvents(event, origin)),
    );
    const isFull = page.length === limit;
    await setPosition(tx, isFull ? (page.at(-1)?.id ?? upTo) : upTo);
    return isFull ? "full" : "last";
  });
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

/** Moves past the next event, unless another process has done that. The audit keeps which one it was. */
async function leaveOut(deps: MakeDeps, { after, upTo, reason }: Left): Promise<void> {
  const { database, log, now } = deps;
  const left = await inTransaction(database, async (tx: Db) => {
    const held = await lockPosition(tx);
    if (held?.position !== after) return null;
    const event = await readNext(tx, { after, upTo });
    if (event === null) return null;
    await setPosition(tx, event.id);
    const { id, type, stream } = event;
    await writeAudit(tx, systemContext(log, now), {
      operation: "leaveOutEvent",
      subject: `event:${id}`,
      detail: { type, stream },
    });
    return event;
  });
  if (left !== null)
    log.error(
      { ...left, reason },
      "an event was left out for webhooks: it could not be made again and again",
    );
}
