/** The values of a facet with their names; those that would have the same name show themselves. */
export function namesOfValues(
  values: readonly string[],
  nameOf: (value: string) => string,
): ReadonlyMap<string, string> {
  const names = new Map(values.map((value) => [value, nameOf(value)]));
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...names].map(([value, name]) => [value, counts.get(name) === 1 ? name : value]));
}
