import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { useEnvironment } from "../../api/environments.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { IdText } from "../../parts/values/id-text.tsx";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { TimeAgo } from "../../parts/values/times.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = CoordinatorComponents["schemas"]["UnknownOutcome"];

export const UnknownOutcomesPage = (): ReactNode => {
  const { environment } = useEnvironment();
  return (
    <ListPage
      title="Unknown outcomes"
      description="Calls of adapters of which it is not known whether they changed something."
      query={listQuery(environment)}
      what="list the unknown outcomes"
      rows={({ data }) => data}
      rowKey={(row) => `${row.planId} ${row.taskId}`}
      columns={columns}
      empty="Every outcome is known"
    />
  );
};

const listQuery = (environment: string) =>
  queryOptions({
    queryKey: [...keys.unknownOutcomes, { environment }],
    enabled: environment !== "",
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/unknown-outcomes", {
          params: { query: { environment, limit: 100 } },
          signal,
        }),
      ),
  });

const columns: readonly Column<Row>[] = [
  {
    key: "component",
    header: "Component",
    width: "minmax(0, 2fr)",
    cell: (row) => <IdText id={row.componentId ?? row.taskId} length={48} />,
  },
  {
    key: "state",
    header: "State",
    width: "minmax(0, 1fr)",
    cell: (row) => <StatusBadge status={row.state} />,
  },
  {
    key: "answer",
    header: "Last answer",
    width: "minmax(0, 2fr)",
    cell: (row) => row.evidence.lastAnswer ?? "–",
  },
  { key: "since", header: "Since", width: "6.5rem", cell: (row) => <TimeAgo at={row.since} /> },
];
