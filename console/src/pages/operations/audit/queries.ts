import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { basePath } from "../../../api/base-path.ts";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import type { auditAreas } from "../words.ts";

export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  resource?: string | undefined;
  area?: (typeof auditAreas)[number] | undefined;
  request?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const queryOf = ({ actor, action, resource, area, request, from, to }: AuditFilter) => ({
  ...(actor !== undefined && { actor }),
  ...(action !== undefined && { action }),
  ...(resource !== undefined && { resource }),
  ...(area !== undefined && { area }),
  ...(request !== undefined && { "request-id": request }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

export const isAnyFilter = (filter: AuditFilter): boolean => Object.keys(queryOf(filter)).length > 0;

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.audit, "list", queryOf(filter)],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/audit", {
          params: { query: { limit: 100, ...queryOf(filter), ...(after !== undefined && { after }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });

/** The browser stores what comes; it may be far more than a page could hold. */
export const exportAddress = (filter: AuditFilter): string =>
  `${basePath}/api/coordinator/v1/audit/export?${new URLSearchParams(queryOf(filter)).toString()}`;

export const chainsQuery = queryOptions({
  queryKey: [...keys.audit, "chains"],
  queryFn: ({ signal }) => call(api.coordinator.GET("/api/coordinator/v1/audit/chains", { signal })),
});
