import { queryOptions } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { RecordPage } from "../../parts/tables/record-pages.tsx";

const route = getRouteApi("/access/$requestId");

export const AccessRequestPage = (): ReactNode => {
  const { requestId } = route.useParams();
  return (
    <RecordPage
      title={`Access request ${requestId.slice(0, 8)}`}
      query={recordQuery(requestId)}
      what="read this request"
    />
  );
};

const recordQuery = (requestId: string) =>
  queryOptions({
    queryKey: [...keys.accessRequests, requestId],
    queryFn: ({ signal }) =>
      call(
        api.builder.GET("/api/builder/access-requests/{id}", { params: { path: { id: requestId } }, signal }),
      ),
  });
