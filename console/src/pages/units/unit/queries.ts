import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents, GovernanceComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";

export type Unit = CoordinatorComponents["schemas"]["UnitInAllEnvironments"];
export type Environment = Unit["environments"][number];
export type Component = Unit["components"][number];
export type WhoMay = GovernanceComponents["schemas"]["WhoMay"];
export type OwnedOperation = WhoMay["operations"][number];
export type Operation = CoordinatorComponents["schemas"]["OperationWithComponents"];

const idleMs = 10_000;
const workingMs = 2_000;

/** Often while something works on it. */
const intervalOf = ({ state: { data } }: { state: { data: Unit | undefined } }): number =>
  data?.environments.some(({ active, queuedOperations }) => active !== null || queuedOperations > 0) === true
    ? workingMs
    : idleMs;

/** In all environments. */
export const unitQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.unit(id), "environments"],
    refetchInterval: intervalOf,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units/{deployment-unit-id}/environments", {
          params: { path: { "deployment-unit-id": id } },
          signal,
        }),
      ),
  });

/** What is deployed there: the descriptor, and what adapters have told of its components. */
export const deployedQuery = (id: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.unit(id), "deployed", environment],
    enabled: environment !== "",
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units/{deployment-unit-id}/provisioning-status", {
          params: {
            path: { "deployment-unit-id": id },
            query: { environment, "include-descriptor": true },
          },
          signal,
        }),
      ),
  });

/** Asked only where it was started: elsewhere the rules know nothing of it. */
export const whoMayQuery = (id: string, environment: string, operation: OwnedOperation) =>
  queryOptions({
    queryKey: [...keys.unit(id), "who-may", environment, operation],
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      call(
        api.governance.GET("/v1/computational-governance/units/{id}/who-may", {
          params: { path: { id }, query: { environment, operation: [operation] } },
          signal,
        }),
      ),
  });

export const historySize = 50;

export const historyQuery = (id: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.unit(id), "history", environment],
    enabled: environment !== "",
    refetchInterval: idleMs,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v2/provisioning-operations", {
          params: {
            query: {
              environment: [environment],
              "deployment-unit-id": id,
              "include-progress": true,
              limit: historySize,
            },
          },
          signal,
        }),
      ),
  });
