import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";

export type WindowsOfEnvironment = CoordinatorComponents["schemas"]["MaintenanceWindowsOfEnvironment"];
export type DriftSchedule = CoordinatorComponents["schemas"]["DriftSchedule"];

const againMs = 60_000;

export const windowsQuery = queryOptions({
  queryKey: [...keys.windows, "list"],
  queryFn: ({ signal }) => call(api.coordinator.GET("/api/coordinator/v1/maintenance-windows", { signal })),
  refetchInterval: againMs,
});

export const driftSchedulesQuery = queryOptions({
  queryKey: [...keys.driftChecks, "schedules"],
  queryFn: ({ signal }) => call(api.coordinator.GET("/api/coordinator/v1/drift-schedules", { signal })),
});
