import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call, statusOf } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { whileShort } from "../../../api/long-lists.ts";

type Schemas = CoordinatorComponents["schemas"];
export type Adapter = Schemas["TechAdapter"];
export type Health = Schemas["AdapterHealth"];
export type AdapterCall = Schemas["AdapterCall"];
export type Deployment = Schemas["AdapterDeployment"];

const pageSize = 100;

export const adaptersQuery = (q: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...keys.adapters, "list", { q }],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/tech-adapters", {
          params: { query: { limit: pageSize, offset: pageParam, ...(q !== undefined && { search: q }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ data }, _pages, offset) => (data.length < pageSize ? undefined : offset + pageSize),
  });

export const healthQuery = (environment: string) =>
  queryOptions({
    queryKey: [...keys.adapters, "health", { environment }],
    enabled: environment !== "",
    refetchInterval: 15_000,
    queryFn: async ({ signal }) => {
      const { data } = await call(
        api.coordinator.GET("/api/coordinator/v1/adapter-health", {
          params: { query: { environment: [environment], limit: 200 } },
          signal,
        }),
      );
      return new Map(data.map((health) => [health.adapterId, health]));
    },
  });

export const adapterQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.adapters, id],
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/tech-adapters/{id}", { params: { path: { id } }, signal }),
      ),
  });

/** null: it is not deployed there. */
export const deploymentQuery = (id: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.adapters, id, "deployment", environment],
    enabled: environment !== "",
    queryFn: ({ signal }): Promise<Deployment | null> =>
      call(
        api.coordinator.GET("/api/coordinator/v1/tech-adapters/{id}/deployments/{environment}", {
          params: { path: { id, environment } },
          signal,
        }),
      ).catch((error: unknown) => {
        if (statusOf(error) === 404) return null;
        throw error;
      }),
  });

export const callsQuery = (id: string, environment: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.adapters, id, "calls", environment],
    initialPageParam: undefined as string | undefined,
    refetchInterval: whileShort(15_000),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/tech-adapters/{id}/deployments/{environment}/calls", {
          params: {
            path: { id, environment },
            query: { limit: 50, ...(pageParam !== undefined && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });
