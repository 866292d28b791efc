/** The server gives no more waiting items at a time. */
export const largestPage = 100;
/** No list that a person decides about is longer. */
const maxPages = 100;

export interface Page<Item, Place> {
  data: readonly Item[];
  /** Where the next page begins; undefined after the last one. */
  next: Place | undefined;
}

/** The items of a list, page after page, as long as they are taken. */
export async function* itemsOf<Item, Place>(
  read: (place: Place | undefined) => Promise<Page<Item, Place>>,
): AsyncGenerator<Item> {
  let place: Place | undefined;
  for (let count = 0; count < maxPages; count += 1) {
    const { data, next } = await read(place);
    yield* data;
    if (next === undefined) return;
    place = next;
  }
}

export const findItem = async <Item>(
  items: AsyncIterable<Item>,
  fits: (item: Item) => boolean,
): Promise<Item | undefined> => {
  for await (const item of items) if (fits(item)) return item;
  return undefined;
};

/** Where the page after this one begins, in a list that is read by offsets. */
export const nextOffset = (page: {
  data: readonly unknown[];
  meta: { pagination: { offset: number; total: number } };
}): number | undefined => {
  const { offset, total } = page.meta.pagination;
  const next = offset + page.data.length;
  return page.data.length > 0 && next < total ? next : undefined;
};
