/** Pure: how many tasks of one user a process drives at a time, and which of them is next. */

export interface Turns {
  /** False when the owner has enough under way; the task is kept until one of them ends. */
  begin(owner: string, taskId: string): boolean;
  /** One of the owner's has ended; answers the task whose turn it is then, which has to begin like any other. */
  end(owner: string): string | undefined;
  /** Owners who have enough under way. */
  full(): string[];
}

/** Tasks of one owner that are kept; others are found again when they are looked for. */
const mostKept = 1_000;

export function createTurns(mostOfOne: number): Turns {
  const running = new Map<string, number>();
  const kept = new Map<string, Set<string>>();
  return {
    begin(owner, taskId) {
      const count = running.get(owner) ?? 0;
      if (count < mostOfOne) {
        running.set(owner, count + 1);
        return true;
      }
      const own = kept.get(owner) ?? new Set();
      if (own.size < mostKept) kept.set(owner, own.add(taskId));
      return false;
    },
    end(owner) {
      const count = (running.get(owner) ?? 1) - 1;
      if (count > 0) running.set(owner, count);
      else running.delete(owner);
      const own = kept.get(owner);
      const [next] = own ?? [];
      if (next !== undefined) own?.delete(next);
      if (own?.size === 0) kept.delete(owner);
      return next;
    },
    full: () => [...running].filter(([, count]) => count >= mostOfOne).map(([owner]) => owner),
  };
}
