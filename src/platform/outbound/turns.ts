/** Spreads work that many begin at once over the turns of the event loop. */

export interface Turns {
  /** Call it before a piece of work, with its size; a promise to await where this turn has had its share. */
  take(size: number): Promise<void> | undefined;
}

/** What is done between two turns is about `perTurn`, and at most one piece more; sizes are in any unit. */
export function createTurns(perTurn: number): Turns {
  let left = perTurn;
  let next: Promise<void> | undefined;
  const nextTurn = (): Promise<void> =>
    (next ??= new Promise((resume) => {
      setImmediate(() => {
        left = perTurn;
        next = undefined;
        resume();
      });
    }));
  /** Of those who wait for the same turn only the first ones have a share in it. */
  const wait = async (size: number): Promise<void> => {
    while (left <= 0) await nextTurn();
    left -= size;
  };
  return {
    take(size) {
      if (left <= 0) return wait(size);
      left -= size;
      return undefined;
    },
  };
}
