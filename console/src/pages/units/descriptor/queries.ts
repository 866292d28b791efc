import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { deployedQuery } from "../unit/queries.ts";
import { diffParameters, type Side } from "./sides.ts";

const versions = 20;

/** Of all environments, with what each was to deploy. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.unit(id), "versions"],
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v2/provisioning-operations", {
          params: {
            query: { "deployment-unit-id": id, "include-descriptors": true, limit: versions },
          },
          signal,
        }),
      ),
  });

export const descriptorQuery = (id: string, side: Side) =>
  queryOptions({
    queryKey: [...keys.unit(id), "descriptor", side],
    queryFn: async ({ client }): Promise<unknown> => {
      if (side.kind === "env")
        return (await client.fetchQuery(deployedQuery(id, side.environment))).provisioningDetails.descriptor;
      const { data } = await client.ensureQueryData(versionsQuery(id));
      return data.find(({ operation }) => operation.executionPlanId === side.planId)?.descriptor ?? null;
    },
  });

export const diffQuery = (id: string, left: Side, right: Side) =>
  queryOptions({
    queryKey: [...keys.unit(id), "diff", left, right],
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/deployment-units/{deployment-unit-id}/diff", {
          params: { path: { "deployment-unit-id": id }, query: diffParameters(left, right) },
          signal,
        }),
      ),
  });
