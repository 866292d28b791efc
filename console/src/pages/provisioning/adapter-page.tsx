import { queryOptions } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { RecordPage } from "../../parts/tables/record-pages.tsx";

const route = getRouteApi("/adapters/$adapterId");

export const AdapterPage = (): ReactNode => {
  const { adapterId } = route.useParams();
  return <RecordPage title={adapterId} query={recordQuery(adapterId)} what="read this adapter" />;
};

const recordQuery = (adapterId: string) =>
  queryOptions({
    queryKey: [...keys.adapters, adapterId],
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/tech-adapters/{id}", {
          params: { path: { id: adapterId } },
          signal,
        }),
      ),
  });
