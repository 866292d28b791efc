import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { IdText } from "../../parts/values/id-text.tsx";
import { PageLink } from "../../parts/page/page-link.tsx";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = CoordinatorComponents["schemas"]["TechAdapter"];

export const AdaptersPage = (): ReactNode => (
  <ListPage
    title="Adapters"
    description="What deploys components, and where it is deployed itself."
    query={listQuery}
    what="list the adapters"
    rows={({ data }) => data}
    rowKey={(row) => row.id}
    columns={columns}
    empty="No adapter is registered"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.adapters, "list"],
  queryFn: ({ signal }) =>
    call(
      api.coordinator.GET("/api/coordinator/v1/tech-adapters", { params: { query: { limit: 100 } }, signal }),
    ),
});

const columns: readonly Column<Row>[] = [
  {
    key: "name",
    header: "Adapter",
    width: "minmax(0, 1.5fr)",
    cell: (row) => (
      <PageLink to="/adapters/$adapterId" params={{ adapterId: row.id }}>
        {row.name}
      </PageLink>
    ),
  },
  {
    key: "id",
    header: "Id",
    width: "minmax(0, 2fr)",
    cell: (row) => <IdText id={row.id} copyable={false} />,
  },
  { key: "version", header: "Version", width: "minmax(0, 0.6fr)", cell: (row) => row.version },
  {
    key: "environments",
    header: "Environments",
    width: "minmax(0, 1.5fr)",
    cell: (row) => row.deployments.environments.map(({ environment }) => environment).join(", "),
  },
];
