import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";

const requestsRead = 100;

const ended: ReadonlySet<string> = new Set(["GRANTED", "REVOKED", "REJECTED", "EXPIRED", "WITHDRAWN"]);

/** Of the latest requests those about the unit that have not ended well or been ended. */
export const openRequestsQuery = (id: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.accessRequests, "unit", requestsRead],
    refetchInterval: 10_000,
    queryFn: ({ signal }) =>
      call(
        api.builder.GET("/api/builder/access-requests", {
          params: { query: { limit: requestsRead } },
          signal,
        }),
      ),
    select: ({ data }) =>
      data.filter(
        (request) =>
          request.deploymentUnitId === id &&
          request.environment === environment &&
          !ended.has(request.status),
      ),
  });

/** When the first decision that is still open ends by itself; null where none does. */
export const deadlineQuery = (requestId: string) =>
  queryOptions({
    queryKey: [...keys.accessRequests, requestId, "deadline"],
    queryFn: ({ signal }) =>
      call(
        api.builder.GET("/api/builder/access-requests/{id}", { params: { path: { id: requestId } }, signal }),
      ),
    select: ({ hooks }) =>
      hooks
        .filter(({ status }) => status === "pending")
        .map(({ expiresAt }) => expiresAt)
        .toSorted()[0] ?? null,
  });
