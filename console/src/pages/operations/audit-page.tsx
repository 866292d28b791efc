import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { TimeAgo } from "../../parts/values/times.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = CoordinatorComponents["schemas"]["AuditRecord"];

export const AuditPage = (): ReactNode => (
  <ListPage
    title="Audit"
    description="Who did what, the newest first."
    query={listQuery}
    what="read the audit"
    who="administrators"
    rows={({ data }) => data}
    rowKey={(row) => `${row.chain} ${row.id}`}
    columns={columns}
    empty="Nothing was recorded yet"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.audit, "list"],
  queryFn: ({ signal }) =>
    call(api.coordinator.GET("/api/coordinator/v1/audit", { params: { query: { limit: 100 } }, signal })),
});

const columns: readonly Column<Row>[] = [
  { key: "actor", header: "Who", width: "minmax(0, 1fr)", cell: (row) => row.actor },
  { key: "action", header: "Did", width: "minmax(0, 1fr)", cell: (row) => row.action },
  { key: "resource", header: "To", width: "minmax(0, 2fr)", cell: (row) => row.resource ?? "–" },
  { key: "area", header: "Area", width: "minmax(0, 0.8fr)", cell: (row) => row.area },
  { key: "at", header: "When", width: "6.5rem", cell: (row) => <TimeAgo at={row.at} /> },
];
