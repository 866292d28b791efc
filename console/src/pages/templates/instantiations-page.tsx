import { queryOptions } from "@tanstack/react-query";
import type { BuilderComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { PageLink } from "../../parts/page/page-link.tsx";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { TimeAgo } from "../../parts/values/times.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = BuilderComponents["schemas"]["InstantiationSummary"];

export const InstantiationsPage = (): ReactNode => (
  <ListPage
    title="Template runs"
    description="What was made from templates, the newest first."
    query={listQuery}
    what="list the runs"
    rows={({ data }) => data}
    rowKey={(row) => row.id}
    columns={columns}
    empty="No template was run yet"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.instantiations, "list"],
  queryFn: ({ signal }) =>
    call(api.builder.GET("/api/builder/templates/tasks", { params: { query: { limit: 100 } }, signal })),
});

const columns: readonly Column<Row>[] = [
  {
    key: "title",
    header: "Template",
    width: "minmax(0, 2fr)",
    cell: (row) => (
      <PageLink to="/instantiations/$taskId" params={{ taskId: row.id }}>
        {row.title}
      </PageLink>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1fr)",
    cell: (row) => <StatusBadge status={row.status} />,
  },
  { key: "by", header: "Started by", width: "minmax(0, 1fr)", cell: (row) => row.createdBy },
  { key: "at", header: "Started", width: "6.5rem", cell: (row) => <TimeAgo at={row.createdAt} /> },
];
