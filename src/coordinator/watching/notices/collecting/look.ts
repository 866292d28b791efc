/**
 * Looks at what waits for people, and notes who is to be told about what was not there before. Nothing has to report to
 * it: whatever a look has missed, the next one finds.
 */
import type { NoticeKind, NoticeSettings } from "../../../../platform/config/schema/schema-notices.ts";
import { inTransaction, type Db } from "../../../../platform/db/database.ts";
import type { CoordinatorContext } from "../../../context.ts";
import type { Contact, NoticeItem, NoticeSource, People } from "../../../ports.ts";
import { isAnyWanted, readChoices } from "./choice-store.ts";
import { listEndedPlans } from "./own-store.ts";
import { endedItem } from "./own-sources.ts";
import { choiceKey, isAddress, namesPlans, recipientsOf } from "./recipients.ts";
import {
  endUnlisted,
  insertEntries,
  insertNotice,
  lockLook,
  readKnown,
  setEventPosition,
  type Look,
  type NewEntry,
} from "./store.ts";

export interface LookDeps {
  ctx: CoordinatorContext;
  settings: NoticeSettings;
  sources: readonly NoticeSource[];
  people: People;
}

/** Items of one source that are looked at; the oldest come first. */
const mostItems = 2_000;
/** How long a look asks whom to tell, well below the time after which another process may look. */
const longestMs = 2_000;
/** Events that are looked through at once. */
const eventPage = 50_000;

interface Found {
  items: NoticeItem[];
  /** Kinds of which all items are there. */
  completeKinds: NoticeKind[];
}

/** @param settled every event up to that id is visible. */
export async function look(deps: LookDeps, begun: Look, settled: number): Promise<void> {
  const { database } = deps.ctx.coordinator;
  const found = await listAll(deps);
  const plans = await endedPlans(deps, begun.eventPosition, settled);
  const news = await unknownOf(database.db, [...found.items, ...plans.items]);
  const left: NoticeItem[] = [];
  const reports: { item: NoticeItem; entries: NewEntry[] }[] = [];
  const begunAt = performance.now();
  for (const [index, item] of news.entries()) {
    // What is left is found by the next look: another process begins one soon, and drops what is not written by then.
    if (reports.length > 0 && performance.now() - begunAt > longestMs) {
      left.push(...news.slice(index));
      break;
    }
    const entries = await entriesOf(deps, item).catch((error: Error) => {
      // Who decides can't be asked now: the next look finds it again.
      deps.ctx.log.warn({ kind: item.kind, id: item.id, reason: error.message }, "nobody could be told yet");
      return null;
    });
    if (entries === null) left.push(item);
    else reports.push({ item, entries });
  }
  const at = deps.ctx.now();
  await inTransaction(database, async (tx) => {
    if (!(await lockLook(tx, begun.fence))) return;
    for (const { item, entries } of reports) {
      await insertNotice(tx, { ...item, operatorsSee: item.operatorsDecide, foundAt: at });
      await insertEntries(tx, entries);
    }
    const listed = found.items.map(({ kind, id }) => ({ kind, id }));
    await endUnlisted(tx, { kinds: found.completeKinds, listed, at });
    // Plans are found by their events; all other items are listed again until they have ended.
    if (!left.some((item) => plans.items.includes(item))) await setEventPosition(tx, plans.position);
  });
}

/** An area that can't be asked now is asked at the next look; what it has listed before does not end by that. */
async function listAll({ sources, ctx }: LookDeps): Promise<Found> {
  const found: Found = { items: [], completeKinds: [] };
  for (const source of sources) {
    try {
      const items = await source.list(mostItems);
      found.items.push(...items);
      if (items.length < mostItems) found.completeKinds.push(...source.kinds);
    } catch (error) {
      const { kinds } = source;
      ctx.log.warn({ kinds, reason: (error as Error).message }, "what waits for people could not be listed");
    }
  }
  return found;
}

interface EndedPlans {
  items: NoticeItem[];
  /** Null before any event is known to be settled. */
  position: number | null;
}

/** Those since the last look, where anybody is told about them; from the first look on. */
async function endedPlans(deps: LookDeps, from: number | null, settled: number): Promise<EndedPlans> {
  const { db } = deps.ctx.coordinator.database;
  const reached = Math.max(from ?? 0, settled);
  const none = { items: [], position: reached === 0 ? null : reached };
  if (from === null || settled <= from) return none;
  const isReported = namesPlans(deps.settings) || (await isAnyWanted(db, ["PLAN_FAILED", "PLAN_ENDED"]));
  if (!isReported) return none;
  const upTo = Math.min(settled, from + eventPage);
  const plans = await listEndedPlans(db, { after: from, upTo });
  return { items: plans.map(endedItem), position: upTo };
}

async function unknownOf(db: Db, items: readonly NoticeItem[]): Promise<NoticeItem[]> {
  const known = await readKnown(
    db,
    items.map(({ kind, id }) => ({ kind, id })),
  );
  const keys = new Set(known.map(({ kind, id }) => `${kind} ${id}`));
  return items.filter(({ kind, id }) => !keys.has(`${kind} ${id}`));
}

async function entriesOf({ settings, people, ctx }: LookDeps, item: NoticeItem): Promise<NewEntry[]> {
  const { kind, id, since } = item;
  const deciders = await item.deciders();
  const refs = [...deciders, ...settings.operators, ...settings.copies.map(({ to }) => to)];
  const contacts = await contactsOf(people, refs);
  const choices = new Map<string, boolean>();
  const named = [...contacts.values()].map(({ ref }) => ref);
  for (const { ref, kind: chosen, wanted } of await readChoices(ctx.coordinator.database.db, named))
    choices.set(choiceKey(ref, chosen), wanted);
  const recipients = recipientsOf(item, { settings, deciders, contacts, choices });
  const isMissed = recipients.length === 0 && settings.mail?.kinds.includes(kind) === true;
  if (isMissed && item.operatorsDecide)
    ctx.log.warn({ kind, id, deciders }, "nobody can be told: no decider and no operator has an address");
  const dueAt = new Date(since.getTime() + delayOf(kind, settings) * minuteMs);
  return recipients.map((each) => ({ ...each, kind, id, dueAt }));
}

/** With the members of groups that have no address of their own. */
async function contactsOf(people: People, refs: readonly string[]): Promise<Map<string, Contact>> {
  const named = [...new Set(refs.filter((ref) => !isAddress(ref)).map((ref) => ref.toLowerCase()))];
  const first = await people.contacts(named);
  const members = new Set(
    [...first.values()].flatMap((found) => (found.email === null ? found.members : [])),
  );
  const second = members.size === 0 ? [] : await people.contacts([...members]);
  return new Map([...first, ...second]);
}

const minuteMs = 60_000;

function delayOf(kind: NoticeKind, { delayMinutes }: NoticeSettings): number {
  if (kind === "TOOL_APPROVAL") return delayMinutes.toolApproval;
  if (kind === "UNKNOWN_OUTCOME") return delayMinutes.unknownOutcome;
  return kind === "HOOK" ? delayMinutes.hook : delayMinutes.others;
}
