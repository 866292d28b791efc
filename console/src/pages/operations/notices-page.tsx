import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { TimeAgo } from "../../parts/values/times.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = CoordinatorComponents["schemas"]["Notice"];

export const NoticesPage = (): ReactNode => (
  <ListPage
    title="Notices"
    description="Messages to people, and whether they arrived."
    query={listQuery}
    what="list the notices"
    who="operators"
    rows={({ data }) => data}
    rowKey={(row) => row.id}
    columns={columns}
    empty="No message was sent"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.notices, "list"],
  queryFn: ({ signal }) =>
    call(api.coordinator.GET("/api/coordinator/v1/notices", { params: { query: { limit: 100 } }, signal })),
});

const columns: readonly Column<Row>[] = [
  { key: "recipient", header: "To", width: "minmax(0, 2fr)", cell: (row) => row.recipient },
  { key: "channel", header: "Channel", width: "minmax(0, 1fr)", cell: (row) => row.channel },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1fr)",
    cell: (row) => <StatusBadge status={row.status} />,
  },
  { key: "at", header: "Made", width: "6.5rem", cell: (row) => <TimeAgo at={row.createdAt} /> },
];
