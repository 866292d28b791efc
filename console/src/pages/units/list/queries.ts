import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { whileShort } from "../../../api/long-lists.ts";
import type { UnitStatusWord } from "../statuses.ts";

const pageSize = 100;
const facetValues = 12;
const everyMs = 10_000;

export interface UnitFilter {
  q?: string | undefined;
  status?: UnitStatusWord[] | undefined;
  in?: string[] | undefined;
  owner?: string | undefined;
  domain?: string | undefined;
  kind?: string | undefined;
}

const queryOf = ({ q, status, in: environment, owner, domain, kind }: UnitFilter) => ({
  ...(q !== undefined && { search: q }),
  ...(status !== undefined && { status }),
  ...(environment !== undefined && { environment }),
  ...(owner !== undefined && { owner }),
  ...(domain !== undefined && { domain }),
  ...(kind !== undefined && { kind }),
});

/** A unit has one entry for each environment, next to each other. */
export const unitsQuery = (filter: UnitFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.units, "list", filter],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    refetchInterval: whileShort(everyMs),
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units", {
          params: {
            query: { ...queryOf(filter), limit: pageSize, ...(cursor !== undefined && { cursor }) },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });

export const facetsQuery = (filter: UnitFilter) =>
  queryOptions({
    queryKey: [...keys.units, "facets", filter],
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-unit-facets", {
          params: { query: { ...queryOf(filter), limit: facetValues } },
          signal,
        }),
      ),
  });
