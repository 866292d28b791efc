/** Spreads work that many begin at once over the passes of the event loop. */

export interface Pace {
  /** Call it before a piece of work, with its size; a promise to await where this pass has had its share. */
  take(size: number): Promise<void> | undefined;
}

/** What is done in one pass is about `perPass`, and at most one piece more; sizes are in any unit. */
export function createPace(perPass: number): Pace {
  let left = perPass;
  let next: Promise<void> | undefined;
  const nextPass = (): Promise<void> =>
    (next ??= new Promise((resume) => {
      setImmediate(() => {
        left = perPass;
        next = undefined;
        resume();
      });
    }));
  /** Of those who wait for the same pass only the first ones have a share in it. */
  const wait = async (size: number): Promise<void> => {
    while (left <= 0) await nextPass();
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
