/** Pure: the first items as a list in a sentence, and how many more there are: `a, b and 3 more`. */
export const listSome = <Item>(
  items: readonly Item[],
  max: number,
  textOf: (item: Item) => string = String,
): string => {
  const shown = items
    .slice(0, max)
    .map((item) => textOf(item))
    .join(", ");
  return items.length > max ? `${shown} and ${items.length - max} more` : shown;
};
