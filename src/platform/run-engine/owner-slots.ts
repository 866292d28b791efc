/** Pure: limits how many works of one owner a process drives at a time. */

export interface OwnerSlots {
  begin(owner: string): void;
  end(owner: string): void;
  /** Owners who have reached the limit. */
  full(): string[];
  /** How many more works any other owner could start. */
  free(): number;
}

export function createOwnerSlots(maxPerOwner: number): OwnerSlots {
  const running = new Map<string, number>();
  return {
    begin: (owner) => void running.set(owner, (running.get(owner) ?? 0) + 1),
    end(owner) {
      const count = (running.get(owner) ?? 1) - 1;
      if (count > 0) running.set(owner, count);
      else running.delete(owner);
    },
    full: () => [...running].filter(([, count]) => count >= maxPerOwner).map(([owner]) => owner),
    free: () =>
      [...running.values()].reduce(
        (least, count) => (count >= maxPerOwner ? least : Math.min(least, maxPerOwner - count)),
        maxPerOwner,
      ),
  };
}
