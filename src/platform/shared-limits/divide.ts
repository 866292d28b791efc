/** Pure: divides a limit among processes by what each of them needs. Shares are integers; their sum is at most the limit. */

/**
 * Small demands are met in full, and what is left is divided equally among the larger ones. What nobody needs is headroom of
 * those who need anything. Where there are more processes than places, `rotation` says who comes first.
 */
export function divide(limit: number, demands: readonly number[], rotation = 0): number[] {
  const shares = demands.map(() => 0);
  const wanting = demands.flatMap((demand, index) => (demand > 0 ? [index] : []));
  if (wanting.length === 0) return shares;
  let left = limit;
  let waiting = wanting.toSorted((a, b) => demands[a]! - demands[b]! || a - b);
  while (waiting.length > 0) {
    const index = waiting[0]!;
    const part = Math.floor(left / waiting.length);
    if (demands[index]! > part) break;
    shares[index] = demands[index]!;
    left -= demands[index]!;
    waiting = waiting.slice(1);
  }
  // Those whose demand is above an equal part, or everybody when each demand is met.
  const rest = waiting.length > 0 ? waiting.toSorted((a, b) => a - b) : wanting;
  const part = Math.floor(left / rest.length);
  const odd = left - part * rest.length;
  const first = part === 0 && waiting.length > 0 ? rotation % rest.length : 0;
  for (const [place, index] of rest.entries()) {
    const isFirst = (place - first + rest.length) % rest.length < odd;
    shares[index] = shares[index]! + part + (isFirst ? 1 : 0);
  }
  return shares;
}

export interface Holder {
  /** What it may use at present, as the others know it. */
  share: number;
  /** What it uses and what waits for it. */
  demand: number;
  /** Its process has ended. Nobody else may use its share until its row is removed or, of a rate, its minute is over. */
  isGone?: boolean;
}

export interface Division {
  limit: number;
  /** Everybody who takes part, in an order that is the same in every process. */
  holders: readonly Holder[];
  own: number;
  /** What this process uses and can't give back now. */
  used: number;
  /** How much it may use even when the others hold the whole limit. */
  least?: number;
  rotation: number;
}

export interface NextShare {
  /** What this process holds: nobody else may use it. */
  share: number;
  /** What it may begin with. Less than the share while it waits for the end of what it has to give back. */
  usable: number;
}

/**
 * The share that a process takes next. It grows only by what nobody holds, and gives back only what another process waits
 * for; so without a wait nothing changes, and the sum of all shares never rises above the limit, except
 * by `least`.
 */
export function nextShare({ limit, holders, own, used, least = 0, rotation }: Division): NextShare {
  const mine = holders[own]!;
  const others = holders.filter((_, index) => index !== own);
  const demands = holders.map(({ demand }) => demand);
  const gone = holders.reduce((sum, { share, isGone }) => sum + (isGone === true ? share : 0), 0);
  const target = divide(Math.max(0, limit - gone), demands, rotation)[own]!;
  const free = Math.max(0, limit - others.reduce((sum, { share }) => sum + share, 0));
  // Less than its share where work was taken over beyond the limit.
  const retained = Math.min(mine.share, free);
  let usable = retained;
  if (target > retained && mine.demand > mine.share) usable = Math.max(retained, Math.min(target, free));
  else if (target < retained && others.some(isWaiting)) usable = target;
  usable = Math.max(usable, least);
  return { share: Math.max(usable, used), usable };
}

export const isWaiting = ({ share, demand }: Holder): boolean => demand > share;
