import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import type { TourExample } from "./steps.ts";

/** Of the demo and of the guides. */
const preferred = "fleet-positions";
const few = 5;

/** The unit of the examples, else any that is deployed; null where nothing is. */
export const tourExampleQuery = queryOptions({
  queryKey: [...keys.units, "tour"],
  staleTime: Infinity,
  queryFn: async ({ signal }): Promise<TourExample | null> => {
    const unit = (await firstUnit(preferred, signal)) ?? (await firstUnit(undefined, signal));
    if (unit === undefined) return null;
    const { deploymentUnitId: unitId, environment } = unit;
    const { data } = await call(
      api.coordinator.GET("/api/coordinator/v2/provisioning-operations", {
        params: {
          query: {
            environment: [environment],
            "deployment-unit-id": unitId,
            status: ["SUCCEEDED"],
            limit: few,
          },
        },
        signal,
      }),
    );
    const plans = data
      .filter(({ operation }) => operation.provisioningAction === "DEPLOY")
      .map(({ operation }) => operation.executionPlanId);
    return {
      unitId,
      name: unit.name ?? unitId,
      environment,
      planId: plans[0] ?? unit.executionPlanId,
      earlierPlanId: plans[1] ?? null,
    };
  },
});

const firstUnit = async (search: string | undefined, signal: AbortSignal) => {
  const { data } = await call(
    api.coordinator.GET("/api/coordinator/v1/deployment-units", {
      params: {
        query: {
          status: ["DEPLOYED", "PARTIALLY_DEPLOYED"],
          limit: 1,
          ...(search !== undefined && { search }),
        },
      },
      signal,
    }),
  );
  return data[0];
};
