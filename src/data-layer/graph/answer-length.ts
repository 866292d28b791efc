/**
 * Pure: whether the JSON text of a value is longer than that, about. One value may be at many places of an answer, so it is measured
 * before it is made. Every answer is: the loops are plain ones, which take a third of the time of `Object.entries`.
 */
export function isLongerThan(most: number, value: unknown): boolean {
  const open: object[] = [];
  let length = lengthOf(value, open);
  while (length <= most) {
    const each = open.pop();
    if (each === undefined) return false;
    if (Array.isArray(each)) for (const one of each as unknown[]) length += lengthOf(one, open);
    else for (const key in each) length += key.length + 4 + lengthOf((each as Entries)[key], open);
  }
  return true;
}

type Entries = Record<string, unknown>;

/** Of an object or list without what is in it, which is left to be measured. */
function lengthOf(value: unknown, open: object[]): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return 5;
  open.push(value);
  return 2;
}
