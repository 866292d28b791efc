import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { BuilderComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { entitiesOf } from "../../../api/entity.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { whileShort } from "../../../api/long-lists.ts";

export type AccessRequest = BuilderComponents["schemas"]["AccessRequest"];
export type AccessRequestSummary = BuilderComponents["schemas"]["AccessRequestList"]["data"][number];

export const requestStatuses = [
  "PENDING",
  "APPROVED",
  "APPLYING",
  "GRANTED",
  "REVOKED",
  "REJECTED",
  "EXPIRED",
  "WITHDRAWN",
  "FAILED",
] as const;
export type RequestStatus = (typeof requestStatuses)[number];

const pageSize = 50;
const askAgainMs = 10_000;
const workingAskAgainMs = 2000;
const maxTemplates = 50;
const maxUnits = 20;

export const requestsQuery = (status: RequestStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: [...keys.accessRequests, "list", status],
    refetchInterval: whileShort(askAgainMs),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.builder.GET("/api/builder/access-requests", {
          params: {
            query: {
              limit: pageSize,
              ...(status !== undefined && { status }),
              ...(after !== undefined && { after }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });

/** Asked often while adapters are at work on it. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.accessRequests, id],
    queryFn: ({ signal }) =>
      call(api.builder.GET("/api/builder/access-requests/{id}", { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => {
      const status = state.data?.status;
      if (status === "PENDING") return askAgainMs;
      return status === "APPROVED" || status === "APPLYING" ? workingAskAgainMs : false;
    },
  });

export const retryRequest = (id: string) =>
  call(api.builder.POST("/api/builder/access-requests/{id}/retry", { params: { path: { id } } }));

export const withdrawRequest = (id: string) =>
  call(api.builder.POST("/api/builder/access-requests/{id}/withdraw", { params: { path: { id } } }));

/** Forms of the catalogue for access requests. */
export const accessTemplatesQuery = queryOptions({
  queryKey: [...keys.entities, "access-templates"],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const { items } = await call(
      api.builder.GET("/api/catalog/entities/by-query", {
        params: { query: { filter: ["kind=accesscontrolrequesttemplate"], limit: maxTemplates } },
        signal,
      }),
    );
    return entitiesOf(items);
  },
});

/** Units of which something is deployed, by a part of their name. */
export const deployedUnitsQuery = (environment: string, search: string) =>
  queryOptions({
    queryKey: [...keys.units, "deployed", environment, search],
    enabled: environment !== "",
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units", {
          params: {
            query: {
              environment: [environment],
              status: ["DEPLOYED", "PARTIALLY_DEPLOYED"],
              limit: maxUnits,
              ...(search !== "" && { search }),
            },
          },
          signal,
        }),
      ),
  });

export const deployedPartsQuery = (unitId: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.unit(unitId), "parts", environment],
    enabled: unitId !== "" && environment !== "",
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units/{deployment-unit-id}/provisioning-status", {
          params: {
            path: { "deployment-unit-id": unitId },
            query: { environment, "include-descriptor": true },
          },
          signal,
        }),
      ),
  });
