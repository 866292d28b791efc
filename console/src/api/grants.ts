import { infiniteQueryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "./client.ts";
import { call } from "./error.ts";
import { keys } from "./keys.ts";

export type Grant = CoordinatorComponents["schemas"]["UnitAccess"];

const pageSize = 50;

/** Who has access to the output ports of a unit, a page at a time. */
export const grantsQuery = (unitId: string, environment: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.unit(unitId), "access", environment],
    enabled: unitId !== "" && environment !== "",
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units/{deployment-unit-id}/access", {
          params: {
            path: { "deployment-unit-id": unitId },
            query: { environment, limit: pageSize, ...(cursor !== undefined && { cursor }) },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });
