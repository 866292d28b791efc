import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";

const shown = 6;
const workMs = 3_000;
const everyMs = 10_000;
const slowMs = 30_000;
const lately = 7 * 24 * 60 * 60 * 1000;

export type WaitingItem = CoordinatorComponents["schemas"]["WaitingItem"];
export type Operation = CoordinatorComponents["schemas"]["OperationWithComponents"];

export const waitingQuery = queryOptions({
  queryKey: [...keys.waiting, shown],
  refetchInterval: everyMs,
  queryFn: ({ signal }) =>
    call(api.coordinator.GET("/api/coordinator/v1/waiting", { params: { query: { limit: shown } }, signal })),
});

export const atWorkQuery = (environment: string) =>
  queryOptions({
    queryKey: [...keys.operations, "at work", environment],
    enabled: environment !== "",
    refetchInterval: workMs,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v2/provisioning-operations", {
          params: {
            query: {
              environment: [environment],
              status: ["SCHEDULED", "RUNNING", "TERMINATING"],
              "include-progress": true,
              limit: shown,
            },
          },
          signal,
        }),
      ),
  });

/** Of the last week: older failures were seen. */
export const failedQuery = (environment: string) =>
  queryOptions({
    queryKey: [...keys.operations, "failed", environment],
    enabled: environment !== "",
    refetchInterval: everyMs,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v2/provisioning-operations", {
          params: {
            query: {
              environment: [environment],
              status: ["FAILED"],
              "include-progress": true,
              "start-time-after": new Date(Date.now() - lately).toISOString(),
              limit: shown,
            },
          },
          signal,
        }),
      ),
  });

export const unitCountsQuery = (environment: string) =>
  queryOptions({
    queryKey: [...keys.units, "counts", environment],
    enabled: environment !== "",
    refetchInterval: everyMs,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-unit-facets", {
          params: { query: { environment: [environment], limit: 10 } },
          signal,
        }),
      ),
  });

/** How many operations each environment has at work, so that the other ones are not forgotten. */
export const environmentsQuery = queryOptions({
  queryKey: keys.environments,
  refetchInterval: everyMs,
  queryFn: ({ signal }) => call(api.coordinator.GET("/api/coordinator/v1/environments", { signal })),
});

export const adapterHealthQuery = (environment: string) =>
  queryOptions({
    queryKey: [...keys.adapters, "health", environment],
    enabled: environment !== "",
    refetchInterval: everyMs,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/adapter-health", {
          params: { query: { environment: [environment], limit: 100 } },
          signal,
        }),
      ),
  });

export const modelQuery = queryOptions({
  queryKey: [...keys.agents, "model"],
  refetchInterval: slowMs,
  queryFn: ({ signal }) => call(api.assistant.GET("/api/assistant/v2/llm/config", { signal })),
});
