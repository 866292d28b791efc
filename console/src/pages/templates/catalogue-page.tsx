import { queryOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { entitiesOf, referenceOf, titleOf, type Entity } from "../../api/entity.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { PageLink } from "../../parts/page/page-link.tsx";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

export const CataloguePage = (): ReactNode => (
  <ListPage
    title="Catalogue"
    description="Everything that the platform knows."
    query={listQuery}
    what="read the catalogue"
    rows={({ items }) => entitiesOf(items)}
    rowKey={referenceOf}
    columns={columns}
    empty="The catalogue is empty"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.entities, "list"],
  queryFn: ({ signal }) =>
    call(api.builder.GET("/api/catalog/entities/by-query", { params: { query: { limit: 200 } }, signal })),
});

const columns: readonly Column<Entity>[] = [
  {
    key: "title",
    header: "Entity",
    width: "minmax(0, 1.5fr)",
    cell: (row) => (
      <PageLink to="/catalogue/$entityRef" params={{ entityRef: referenceOf(row) }}>
        {titleOf(row)}
      </PageLink>
    ),
  },
  { key: "kind", header: "Kind", width: "minmax(0, 1fr)", cell: (row) => row.kind },
  {
    key: "description",
    header: "Description",
    width: "minmax(0, 3fr)",
    cell: (row) => row.metadata.description ?? "–",
  },
];
