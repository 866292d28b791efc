import { queryOptions } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { RecordPage } from "../../parts/tables/record-pages.tsx";

const route = getRouteApi("/policies/$policyId");

export const PolicyPage = (): ReactNode => {
  const { policyId } = route.useParams();
  return <RecordPage title={policyId} query={recordQuery(policyId)} what="read this policy" />;
};

const recordQuery = (policyId: string) =>
  queryOptions({
    queryKey: [...keys.policies, policyId],
    queryFn: ({ signal }) =>
      call(
        api.governance.GET("/v1/computational-governance/policies/{id}", {
          params: { path: { id: policyId } },
          signal,
        }),
      ),
  });
