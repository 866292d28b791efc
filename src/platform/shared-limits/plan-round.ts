/** Pure: what a process changes of its shares, given the rows of all processes. */
import { isWaiting, nextShare, type Holder } from "./divide.ts";

export interface Member {
  id: string;
  serves: boolean;
  workerId: string | null;
  joinedMs: number;
  heartbeatMs: number;
  goneMs: number | null;
  isDead: boolean;
}

export interface ShareRow {
  memberId: string;
  name: string;
  period: number;
  demand: number;
  share: number;
  used: number;
}

/** All members and shares at one moment of the database's clock. */
export interface View {
  nowMs: number;
  members: Member[];
  shares: ShareRow[];
}

/** What this process needs of one limit. */
export interface Want {
  name: string;
  period: number;
  limit: number;
  demand: number;
  used: number;
  /** What it holds without a row. */
  implied: number;
  /** How much it may use even when the others hold the whole limit; none unless given. */
  least?: number;
  /** What other members hold of this limit without a row, by their ids. */
  impliedByOthers?: ReadonlyMap<string, Holder>;
}

export interface Decision extends Want {
  share: number;
  usable: number;
  /** In use by other processes, as far as they have said. */
  usedElsewhere: number;
  isChanged: boolean;
  /** Whether other processes have something to do about it: this one waits, or has given back what another waits for. */
  concernsOthers: boolean;
}

export interface RoundContext {
  own: string;
  rotation: number;
}

export const rowKey = (name: string, period: number): string => `${period} ${name}`;

export function planShares(view: View, wants: readonly Want[], context: RoundContext): Decision[] {
  const alive = new Set(
    view.members.flatMap(({ id, isDead, goneMs }) => (isDead || goneMs !== null ? [] : [id])),
  );
  const known = view.shares.map((row): KnownRow =>
    // The dead wait for nothing; what they held counts until they are removed, and of a rate until its minute is over.
    alive.has(row.memberId) || row.memberId === context.own ? row : { ...row, demand: 0, isGone: true },
  );
  const rows = Map.groupBy(known, ({ name, period }) => rowKey(name, period));
  return wants.flatMap((want) => decide(want, rows.get(rowKey(want.name, want.period)) ?? [], context) ?? []);
}

type KnownRow = ShareRow & Holder;

/** Null where what is implied is enough, and nobody else waits for it. */
function decide(want: Want, rows: readonly KnownRow[], { own, rotation }: RoundContext): Decision | null {
  const row = rows.find(({ memberId }) => memberId === own);
  const others = rows.filter(({ memberId }) => memberId !== own);
  const mine: Holder = { share: row?.share ?? want.implied, demand: want.demand };
  const isWanted = others.some(isWaiting);
  if (row === undefined && !isWaiting(mine) && !isWanted && want.used <= want.implied) return null;
  const holders = new Map<string, Holder>(want.impliedByOthers);
  for (const other of others) holders.set(other.memberId, other);
  holders.set(own, mine);
  const ids = [...holders.keys()].toSorted();
  const { limit, used, least = 0 } = want;
  const division = {
    limit,
    holders: ids.map((id) => holders.get(id)!),
    own: ids.indexOf(own),
    used,
    least,
    rotation,
  };
  const { share, usable } = nextShare(division);
  const waits = want.demand > share;
  const hasWaited = row !== undefined && row.demand > row.share;
  // While nobody waits, what is needed and used concerns nobody else.
  const isShown = holders.size > 1 && (waits || isWanted);
  const isChanged =
    row === undefined ||
    row.share !== share ||
    hasWaited !== waits ||
    (isShown && (row.demand !== want.demand || row.used !== used));
  const hasGivenBack = share < mine.share && isWanted;
  return {
    ...want,
    share,
    usable,
    usedElsewhere: others.reduce((sum, other) => sum + other.used, 0),
    isChanged,
    concernsOthers: holders.size > 1 && (hasGivenBack || (waits && (!hasWaited || row === undefined))),
  };
}
