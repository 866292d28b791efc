/** Pure: limits how many tasks of one user a process drives at a time. */

export interface Turns {
  begin(owner: string): void;
  end(owner: string): void;
  /** Owners who have reached the limit. */
  full(): string[];
  /** How many more tasks any other owner could start. */
  room(): number;
}

export function createTurns(mostOfOne: number): Turns {
  const running = new Map<string, number>();
  return {
    begin: (owner) => void running.set(owner, (running.get(owner) ?? 0) + 1),
    end(owner) {
      const count = (running.get(owner) ?? 1) - 1;
      if (count > 0) running.set(owner, count);
      else running.delete(owner);
    },
    full: () => [...running].filter(([, count]) => count >= mostOfOne).map(([owner]) => owner),
    room: () =>
      [...running.values()].reduce(
        (least, count) => (count >= mostOfOne ? least : Math.min(least, mostOfOne - count)),
        mostOfOne,
      ),
  };
}
