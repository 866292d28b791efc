import { queryOptions } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { RecordPage } from "../../parts/tables/record-pages.tsx";

const route = getRouteApi("/hooks/$hookId");

export const HookPage = (): ReactNode => {
  const { hookId } = route.useParams();
  return (
    <RecordPage
      title={`Approval ${hookId.slice(0, 8)}`}
      query={recordQuery(hookId)}
      what="read this approval"
    />
  );
};

const recordQuery = (hookId: string) =>
  queryOptions({
    queryKey: [...keys.hooks, hookId],
    queryFn: ({ signal }) =>
      call(api.builder.GET("/api/builder/hooks/{id}", { params: { path: { id: hookId } }, signal })),
  });
