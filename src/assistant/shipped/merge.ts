/** Pure: what a release ships, over what users have made of the release before. */

export interface Change<T> {
  added: T[];
  withdrawn: T[];
}

/** What a release has that the one before did not, and the other way round. */
export function changeOf<T>(before: readonly T[], now: readonly T[], keyOf: (each: T) => string): Change<T> {
  const had = new Set(before.map(keyOf));
  const has = new Set(now.map(keyOf));
  return {
    added: now.filter((each) => !had.has(keyOf(each))),
    withdrawn: before.filter((each) => !has.has(keyOf(each))),
  };
}

/** Users keep what they added, and do not get back what they took out. */
export function merged<T>(
  present: readonly T[],
  { added, withdrawn }: Change<T>,
  keyOf: (each: T) => string,
): T[] {
  const gone = new Set(withdrawn.map(keyOf));
  const there = new Set(present.map(keyOf));
  return [
    ...present.filter((each) => !gone.has(keyOf(each))),
    ...added.filter((each) => !there.has(keyOf(each))),
  ];
}
