import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useCallback } from "react";
import { isLongList } from "../../api/long-lists.ts";

type Paged = Pick<
  UseInfiniteQueryResult,
  | "data"
  | "error"
  | "fetchNextPage"
  | "hasNextPage"
  | "isError"
  | "isFetching"
  | "isFetchingNextPage"
  | "refetch"
>;

/** How a list goes on behind the pages that were read. */
export interface NextPage {
  /** Called whenever the last rows come into view; does nothing while a page is read, or after an error. */
  read: () => void;
  /** Also after it has failed. */
  readNow: () => void;
  isThere: boolean;
  isBeingRead: boolean;
  /** Why the next page is not read by itself: its last read failed, or the last refresh of the pages that are there; else null. */
  error: Error | null;
  /** Reads what is there anew, where it has so many pages that this is not done by itself; else null. */
  readAgain: (() => void) | null;
  isBeingReadAgain: boolean;
}

/** Whether the end of a list may ask for its next page. After a failure that is up to the reader, since the end stays in view. */
export const mayReadNext = ({
  hasNextPage,
  isFetching,
  isError,
}: Pick<Paged, "hasNextPage" | "isFetching" | "isError">): boolean => hasNextPage && !isFetching && !isError;

/** Null where the list has its end, or goes on. */
export const whyStopped = ({ hasNextPage, error }: Pick<Paged, "hasNextPage" | "error">): Error | null =>
  hasNextPage ? error : null;

export const useNextPage = (query: Paged): NextPage => {
  const { fetchNextPage, refetch, isFetching, isFetchingNextPage } = query;
  const mayRead = mayReadNext(query);
  const readNow = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const read = useCallback(() => {
    if (mayRead) readNow();
  }, [mayRead, readNow]);
  return {
    read,
    readNow,
    isThere: query.hasNextPage,
    isBeingRead: isFetchingNextPage,
    error: whyStopped(query),
    readAgain: isLongList(query.data) ? () => void refetch() : null,
    isBeingReadAgain: isFetching && !isFetchingNextPage,
  };
};
