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

type Row = BuilderComponents["schemas"]["AccessRequestList"]["data"][number];

export const AccessPage = (): ReactNode => (
  <ListPage
    title="Access requests"
    description="Who asked to read which output ports."
    query={listQuery}
    what="list the access requests"
    rows={({ data }) => data}
    rowKey={(row) => row.id}
    columns={columns}
    empty="Nobody asked for access yet"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.accessRequests, "list"],
  queryFn: ({ signal }) =>
    call(api.builder.GET("/api/builder/access-requests", { params: { query: { limit: 100 } }, signal })),
});

const columns: readonly Column<Row>[] = [
  {
    key: "ports",
    header: "Output ports",
    width: "minmax(0, 2fr)",
    cell: (row) => (
      <PageLink to="/access/$requestId" params={{ requestId: row.id }}>
        {row.outputPorts.map(({ name, urn }) => name ?? urn).join(", ")}
      </PageLink>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1fr)",
    cell: (row) => <StatusBadge status={row.status} />,
  },
  { key: "for", header: "For", width: "minmax(0, 1.5fr)", cell: (row) => row.identities.join(", ") },
  { key: "by", header: "Asked by", width: "minmax(0, 1fr)", cell: (row) => row.requester },
  { key: "at", header: "Asked", width: "6.5rem", cell: (row) => <TimeAgo at={row.createdAt} /> },
];
