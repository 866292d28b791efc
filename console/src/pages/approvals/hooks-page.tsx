import { queryOptions } from "@tanstack/react-query";
import type { BuilderComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { PageLink } from "../../parts/page/page-link.tsx";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { wordsOf } from "../../parts/values/text.ts";
import { TimeAgo } from "../../parts/values/times.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = BuilderComponents["schemas"]["Hook"];

export const HooksPage = (): ReactNode => (
  <ListPage
    title="Approvals"
    description="Decisions that an action waits for."
    query={listQuery}
    what="list the approvals"
    rows={({ data }) => data}
    rowKey={(row) => row.hookId}
    columns={columns}
    empty="No decision was asked for"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.hooks, "list"],
  queryFn: ({ signal }) =>
    call(api.builder.GET("/api/builder/hooks", { params: { query: { limit: 100 } }, signal })),
});

const columns: readonly Column<Row>[] = [
  {
    key: "name",
    header: "Decision",
    width: "minmax(0, 1.5fr)",
    cell: (row) => (
      <PageLink to="/hooks/$hookId" params={{ hookId: row.hookId }}>
        {row.hookName}
      </PageLink>
    ),
  },
  { key: "action", header: "Of", width: "minmax(0, 1fr)", cell: (row) => wordsOf(row.actionName) },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1fr)",
    cell: (row) => <StatusBadge status={row.status} />,
  },
  { key: "by", header: "Asked by", width: "minmax(0, 1fr)", cell: (row) => row.requester },
  { key: "until", header: "Until", width: "6.5rem", cell: (row) => <TimeAgo at={row.expiresAt} /> },
];
