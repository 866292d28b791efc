import { queryOptions } from "@tanstack/react-query";
import type { GovernanceComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { PageLink } from "../../parts/page/page-link.tsx";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = GovernanceComponents["schemas"]["Policy"];

export const PoliciesPage = (): ReactNode => (
  <ListPage
    title="Policies"
    description="Rules that deployed products have to keep."
    query={listQuery}
    what="list the policies"
    rows={({ data }) => data}
    rowKey={(row) => row.id}
    columns={columns}
    empty="There are no policies"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.policies, "list"],
  queryFn: ({ signal }) =>
    call(
      api.governance.GET("/v1/computational-governance/policies", {
        params: { query: { limit: 100 } },
        signal,
      }),
    ),
});

const columns: readonly Column<Row>[] = [
  {
    key: "name",
    header: "Policy",
    width: "minmax(0, 2fr)",
    cell: (row) => (
      <PageLink to="/policies/$policyId" params={{ policyId: row.id }}>
        {row.name}
      </PageLink>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1fr)",
    cell: (row) => <StatusBadge status={row.status} />,
  },
  { key: "severity", header: "Severity", width: "minmax(0, 1fr)", cell: (row) => row.severity },
  { key: "engine", header: "Engine", width: "minmax(0, 1fr)", cell: (row) => row.engine },
];
