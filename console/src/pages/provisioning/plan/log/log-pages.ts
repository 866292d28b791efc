/** Pure: the pages of a stored log, in the order of writing. */
import type { InfiniteData } from "@tanstack/react-query";
import type { LogLine } from "../model/log-buffer.ts";

export interface LogPage {
  lines: LogLine[];
  /** Position after which the next page begins; null for the last page that there is so far. */
  next: number | null;
}

/** The page after that position where it was read and is full: lines are only ever added to a log, after all others. */
export const fullPage = (
  known: InfiniteData<LogPage, number> | undefined,
  after: number,
): LogPage | undefined => {
  const page = known?.pages[known.pageParams.indexOf(after)];
  return page === undefined || page.next === null ? undefined : page;
};
