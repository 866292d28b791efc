import { queryOptions } from "@tanstack/react-query";
import type { GovernanceComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { TimeAgo } from "../../parts/values/times.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = GovernanceComponents["schemas"]["Exception"];

export const ExceptionsPage = (): ReactNode => (
  <ListPage
    title="Exceptions"
    description="Where a policy is not applied for a time, and who allowed it."
    query={listQuery}
    what="list the exceptions"
    rows={({ data }) => data}
    rowKey={(row) => row.id}
    columns={columns}
    empty="No exception was asked for"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.exceptions, "list"],
  queryFn: ({ signal }) =>
    call(
      api.governance.GET("/v1/computational-governance/exceptions", {
        params: { query: { limit: 100 } },
        signal,
      }),
    ),
});

const columns: readonly Column<Row>[] = [
  { key: "policy", header: "Policy", width: "minmax(0, 1.5fr)", cell: (row) => row.policyId },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1fr)",
    cell: (row) => <StatusBadge status={row.status} />,
  },
  { key: "reason", header: "Reason", width: "minmax(0, 2fr)", cell: (row) => row.reason },
  { key: "until", header: "Until", width: "6.5rem", cell: (row) => <TimeAgo at={row.until ?? null} /> },
];
