import { queryOptions } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { entityPath } from "../../api/entity.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { RecordPage } from "../../parts/tables/record-pages.tsx";

const route = getRouteApi("/templates/$templateRef");

export const TemplatePage = (): ReactNode => {
  const { templateRef } = route.useParams();
  return <RecordPage title={templateRef} query={recordQuery(templateRef)} what="read this entity" />;
};

const recordQuery = (templateRef: string) =>
  queryOptions({
    queryKey: [...keys.templates, templateRef],
    queryFn: ({ signal }) =>
      call(
        api.builder.GET("/api/catalog/entities/by-name/{kind}/{namespace}/{name}", {
          params: { path: entityPath(templateRef) },
          signal,
        }),
      ),
  });
