/** Fills a page of a list whose rows are checked one by one after they were read, such as those that the caller may decide about. */

export interface PageToFill<Row, Item, Place> {
  /** Items on the page. */
  limit: number;
  after: Place;
  read: (after: Place, limit: number) => Promise<readonly Row[]>;
  placeOf: (row: Row) => Place;
  /** Null where the row is left out. */
  toItem: (row: Row) => Promise<Item | null>;
}

/** Rows that are read at once. */
const batchSize = 200;

/** Reads batches until the page is full or no rows are left. Rejects with the first error of `read` or `toItem`. */
export async function fillPage<Row, Item, Place>({
  limit,
  after,
  read,
  placeOf,
  toItem,
}: PageToFill<Row, Item, Place>): Promise<Item[]> {
  const items: Item[] = [];
  for (let place = after; ;) {
    const rows = await read(place, batchSize);
    for (const row of rows) {
      if (items.length === limit) return items;
      const item = await toItem(row);
      if (item !== null) items.push(item);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return items;
    place = placeOf(last);
  }
}
