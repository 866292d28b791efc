import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import type { UnitStatusWord } from "./statuses.ts";

const pageSize = 100;

export interface UnitFilter {
  environment: string;
  q?: string | undefined;
  status?: UnitStatusWord | undefined;
}

export const unitsQuery = ({ environment, q, status }: UnitFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.units, { environment, q, status }],
    enabled: environment !== "",
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units", {
          params: {
            query: {
              environment: [environment],
              limit: pageSize,
              ...(q !== undefined && { search: q }),
              ...(status !== undefined && { status: [status] }),
              ...(cursor !== undefined && { cursor }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });

export const unitQuery = (id: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.unit(id), environment],
    enabled: environment !== "",
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units/{deployment-unit-id}/provisioning-status", {
          params: { path: { "deployment-unit-id": id }, query: { environment } },
          signal,
        }),
      ),
  });
