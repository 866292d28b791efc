import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { useEnvironment } from "../../api/environments.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { PageLink } from "../../parts/page/page-link.tsx";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { wordsOf } from "../../parts/values/text.ts";
import { TimeAgo } from "../../parts/values/times.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = CoordinatorComponents["schemas"]["OperationWithComponents"];

export const OperationsPage = (): ReactNode => {
  const { environment } = useEnvironment();
  return (
    <ListPage
      title="Plans and operations"
      description={`What was started in ${environment}, the newest first.`}
      query={listQuery(environment)}
      what="list the operations"
      rows={({ data }) => data}
      rowKey={(row) => row.operation.operationId}
      columns={columns}
      empty="Nothing was started yet"
    />
  );
};

const listQuery = (environment: string) =>
  queryOptions({
    queryKey: [...keys.operations, { environment }],
    enabled: environment !== "",
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v2/provisioning-operations", {
          params: { query: { environment: [environment], limit: 100 } },
          signal,
        }),
      ),
  });

const columns: readonly Column<Row>[] = [
  {
    key: "unit",
    header: "Unit",
    width: "minmax(0, 2fr)",
    cell: (row) => (
      <PageLink to="/plans/$planId" params={{ planId: row.operation.executionPlanId }}>
        {row.operation.deploymentUnitId}
      </PageLink>
    ),
  },
  {
    key: "action",
    header: "Action",
    width: "minmax(0, 0.8fr)",
    cell: (row) => wordsOf(row.operation.provisioningAction),
  },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1fr)",
    cell: (row) => <StatusBadge status={row.operation.status} />,
  },
  { key: "by", header: "Started by", width: "minmax(0, 1fr)", cell: (row) => row.operation.originatorUri },
  { key: "at", header: "Started", width: "6.5rem", cell: (row) => <TimeAgo at={row.operation.startTime} /> },
];
