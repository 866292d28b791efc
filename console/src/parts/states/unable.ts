import { focusManager, useQueryClient, type Query, type QueryCache } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { isServerUnable } from "../../api/error.ts";

const askAgainMs = 5000;

type Asked = Pick<Query, "state">;

const isRefused = ({ state: { error, fetchFailureReason } }: Asked): boolean =>
  isServerUnable(error) || isServerUnable(fetchFailureReason);

/**
 * Pure. Whether what the page shows was refused, because the server can answer nothing. A query that has read nothing yet forgets its
 * refusal while it asks again: until it has its answer nothing is known to have changed.
 */
export const areRefused = (before: boolean, shown: readonly Asked[]): boolean =>
  shown.some(isRefused) ||
  (before &&
    shown.some(({ state: { data, fetchStatus } }) => data === undefined && fetchStatus === "fetching"));

const watchRefusals = (cache: QueryCache) => {
  let current = false;
  return {
    subscribe: (listener: () => void) => cache.subscribe(listener),
    get: () => (current = areRefused(current, cache.findAll({ type: "active" }))),
  };
};

/** Whether the server refuses everything at the moment; what it has refused is asked for again. */
export const useIsServerUnable = (): boolean => {
  const queries = useQueryClient();
  const { subscribe, get } = useMemo(() => watchRefusals(queries.getQueryCache()), [queries]);
  const isUnable = useSyncExternalStore(subscribe, get);
  useEffect(() => {
    if (!isUnable) return;
    const ask = (): void => {
      if (!focusManager.isFocused()) return;
      void queries.refetchQueries({ type: "active", predicate: isRefused }, { cancelRefetch: false });
    };
    const timer = setInterval(ask, askAgainMs);
    return () => clearInterval(timer);
  }, [isUnable, queries]);
  return isUnable;
};
