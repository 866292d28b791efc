import { queryOptions } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { RecordPage } from "../../parts/tables/record-pages.tsx";

const route = getRouteApi("/plans/$planId");

export const PlanPage = (): ReactNode => {
  const { planId } = route.useParams();
  return (
    <RecordPage title={`Plan ${planId.slice(0, 8)}`} query={recordQuery(planId)} what="read this plan" />
  );
};

const recordQuery = (planId: string) =>
  queryOptions({
    queryKey: keys.plan(planId),
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/execution-plans/{token}/status", {
          params: { path: { token: planId } },
          signal,
        }),
      ),
  });
