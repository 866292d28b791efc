/**
 * Pure. Lists that are read a page at a time: to read one again asks for each of its pages, one after the other. One that has many is
 * therefore read again only when its reader wants it.
 */

const followedPages = 2;

/** Whether the data of a query is a list with so many pages that it is not read again by itself. */
export const isLongList = (data: unknown): boolean =>
  typeof data === "object" &&
  data !== null &&
  "pages" in data &&
  Array.isArray(data.pages) &&
  data.pages.length > followedPages;

interface ListQuery<Page> {
  state: { data: { pages: Page[] } | undefined };
}

/** The `refetchInterval` of a list: a number of milliseconds, or what the pages that were read need. */
export const whileShort =
  <Page>(interval: number | ((pages: readonly Page[]) => number | false)) =>
  ({ state: { data } }: ListQuery<Page>): number | false => {
    if (isLongList(data)) return false;
    return typeof interval === "number" ? interval : interval(data?.pages ?? []);
  };
