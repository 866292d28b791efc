import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useCallback } from "react";

type Paged = Pick<UseInfiniteQueryResult, "fetchNextPage" | "hasNextPage" | "isFetching">;

/** Reads the next page of a log: for when its last line comes into view. */
export const useNextPage = ({ fetchNextPage, hasNextPage, isFetching }: Paged): (() => void) =>
  useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetching]);
