import { queryOptions } from "@tanstack/react-query";
import type { AuthComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { TimeAgo } from "../../parts/values/times.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = AuthComponents["schemas"]["Token"];

export const TokensPage = (): ReactNode => (
  <ListPage
    title="Tokens"
    description="Tokens with which programs act for you."
    query={listQuery}
    what="list your tokens"
    rows={({ data }) => data}
    rowKey={(row) => row.id}
    columns={columns}
    empty="You have no tokens"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.tokens, "list"],
  queryFn: ({ signal }) =>
    call(api.auth.GET("/api/auth/v1/tokens", { params: { query: { limit: 100 } }, signal })),
});

const columns: readonly Column<Row>[] = [
  { key: "name", header: "Name", width: "minmax(0, 2fr)", cell: (row) => row.name },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1fr)",
    cell: (row) => <StatusBadge status={row.status} />,
  },
  { key: "roles", header: "Roles", width: "minmax(0, 1fr)", cell: (row) => row.roles.join(", ") },
  { key: "used", header: "Last used", width: "6.5rem", cell: (row) => <TimeAgo at={row.lastUsedAt} /> },
  { key: "ends", header: "Ends", width: "6.5rem", cell: (row) => <TimeAgo at={row.expiresAt} /> },
];
