import { queryOptions } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { entityPath } from "../../api/entity.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { RecordPage } from "../../parts/tables/record-pages.tsx";

const route = getRouteApi("/catalogue/$entityRef");

export const EntityPage = (): ReactNode => {
  const { entityRef } = route.useParams();
  return <RecordPage title={entityRef} query={recordQuery(entityRef)} what="read this entity" />;
};

const recordQuery = (entityRef: string) =>
  queryOptions({
    queryKey: [...keys.entities, entityRef],
    queryFn: ({ signal }) =>
      call(
        api.builder.GET("/api/catalog/entities/by-name/{kind}/{namespace}/{name}", {
          params: { path: entityPath(entityRef) },
          signal,
        }),
      ),
  });
