import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";

const shown = 5;
const everyMs = 10_000;

export const waitingQuery = queryOptions({
  queryKey: [...keys.waiting, shown],
  refetchInterval: everyMs,
  queryFn: ({ signal }) =>
    call(api.coordinator.GET("/api/coordinator/v1/waiting", { params: { query: { limit: shown } }, signal })),
});

export type OperationStatus = "SCHEDULED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "TERMINATING" | "TERMINATED";

export const operationsQuery = (environment: string, status: OperationStatus[]) =>
  queryOptions({
    queryKey: [...keys.operations, { environment, status, limit: shown }],
    enabled: environment !== "",
    refetchInterval: everyMs,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v2/provisioning-operations", {
          params: { query: { environment: [environment], status, limit: shown } },
          signal,
        }),
      ),
  });
