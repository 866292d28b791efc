/** Pure: how the processes that answer requests divide each caller's requests of a minute. */
import type { Holder } from "./divide.ts";
import type { View } from "./plan-round.ts";

export const windowMs = 60_000;

/** What a process that joins during a minute may answer at once, as a part of the limit: the others hold all of it. */
const joinedPart = 20;

export interface RateWindow {
  /** The minute since 1970, by the database's clock; the same in every process. */
  period: number;
  endsInMs: number;
  /** False while no other process answers requests. */
  isDivided: boolean;
  /** How many requests of each caller this process may answer without asking. */
  base: number;
  /** How many it may answer even when the others hold the whole limit. Only a process that joined in this minute needs that. */
  least: number;
  /** The same for the next minute. */
  nextBase: number;
  /** What a process keeps for callers of whom it has few requests. */
  headroom: number;
  /** What the other processes may answer without asking. */
  others: ReadonlyMap<string, Holder>;
}

/** `mostServing`: the largest number of processes seen in this minute, for one that is gone has used its part. */
export function rateWindow(
  view: View,
  { own, perMinute, mostServing }: { own: string; perMinute: number; mostServing: number },
): RateWindow & { serving: number } {
  const period = Math.floor(view.nowMs / windowMs);
  const startMs = period * windowMs;
  const serving = view.members.filter((member) => member.serves);
  const isSenior = (joinedMs: number): boolean => joinedMs < startMs;
  const seniors = serving.filter(({ joinedMs }) => isSenior(joinedMs));
  const count = Math.max(mostServing, seniors.length);
  const mine = serving.find(({ id }) => id === own);
  const rest = serving.filter(({ id }) => id !== own);
  const isDivided = rest.length > 0 || count > 1;
  const part = Math.max(1, Math.floor(perMinute / Math.max(1, count)));
  const joined = Math.max(1, Math.floor(perMinute / joinedPart));
  const headroom = Math.ceil(perMinute / joinedPart / Math.max(1, serving.length));
  const baseOf = (joinedMs: number): number => (isSenior(joinedMs) ? part : joined);
  const others = new Map<string, Holder>(
    rest.map(({ id, joinedMs }) => [id, { share: baseOf(joinedMs), demand: headroom }]),
  );
  for (let gone = seniors.length; gone < count && isDivided; gone++)
    others.set(`gone ${gone}`, { share: part, demand: 0, isGone: true });
  const isNew = mine === undefined || !isSenior(mine.joinedMs);
  const base = isNew ? joined : part;
  return {
    period,
    endsInMs: startMs + windowMs - view.nowMs,
    isDivided,
    base: isDivided ? base : perMinute,
    least: isNew ? joined : 0,
    nextBase: Math.max(1, Math.floor(perMinute / Math.max(1, rest.length + 1))),
    headroom,
    others,
    serving: seniors.length,
  };
}
