import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";

const shown = 20;
const workingMs = 1_500;
const idleMs = 15_000;

type Checks = CoordinatorComponents["schemas"]["DriftCheckList"];

const intervalOf = ({ state: { data } }: { state: { data: Checks | undefined } }): number =>
  data?.data.some(({ status }) => status !== "COMPLETED") === true ? workingMs : idleMs;

export const driftChecksQuery = (id: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.driftChecks, id, environment],
    enabled: environment !== "",
    refetchInterval: intervalOf,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units/{deployment-unit-id}/drift-checks", {
          params: { path: { "deployment-unit-id": id }, query: { environment, limit: shown } },
          signal,
        }),
      ),
  });

export const driftCheckQuery = (checkId: string, isEnded: boolean) =>
  queryOptions({
    queryKey: [...keys.driftChecks, "one", checkId, isEnded],
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/drift-checks/{drift-check-id}", {
          params: { path: { "drift-check-id": checkId } },
          signal,
        }),
      ),
  });

export const reconcilesQuery = (id: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.reconciles, id, environment],
    enabled: environment !== "",
    refetchInterval: idleMs,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/reconciles", {
          params: { query: { environment, "deployment-unit-id": id, limit: shown } },
          signal,
        }),
      ),
  });

export const reconcileQuery = (reconcileId: string) =>
  queryOptions({
    queryKey: [...keys.reconciles, "one", reconcileId],
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/reconciles/{reconcile-id}", {
          params: { path: { "reconcile-id": reconcileId } },
          signal,
        }),
      ),
  });
