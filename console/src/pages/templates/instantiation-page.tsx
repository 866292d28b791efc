import { queryOptions } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { RecordPage } from "../../parts/tables/record-pages.tsx";

const route = getRouteApi("/instantiations/$taskId");

export const InstantiationPage = (): ReactNode => {
  const { taskId } = route.useParams();
  return <RecordPage title={`Run ${taskId.slice(0, 8)}`} query={recordQuery(taskId)} what="read this run" />;
};

const recordQuery = (taskId: string) =>
  queryOptions({
    queryKey: [...keys.instantiations, taskId],
    queryFn: ({ signal }) =>
      call(
        api.builder.GET("/api/builder/templates/tasks/{taskId}", { params: { path: { taskId } }, signal }),
      ),
  });
