import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { wordsOf } from "../../parts/values/text.ts";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = CoordinatorComponents["schemas"]["DoctorCheck"];

export const DoctorPage = (): ReactNode => (
  <ListPage
    title="Health"
    description="What this installation needs to work, checked now."
    query={listQuery}
    what="check the installation"
    who="administrators"
    rows={({ checks }) => checks}
    rowKey={(row) => row.name}
    columns={columns}
    empty="Nothing was checked"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.doctor, "list"],
  queryFn: ({ signal }) => call(api.coordinator.GET("/api/coordinator/v1/doctor", { signal })),
});

const columns: readonly Column<Row>[] = [
  { key: "name", header: "Check", width: "minmax(0, 0.8fr)", cell: (row) => wordsOf(row.name) },
  {
    key: "outcome",
    header: "Outcome",
    width: "minmax(0, 0.7fr)",
    cell: (row) => <StatusBadge status={row.outcome} />,
  },
  { key: "found", header: "Found", wrap: true, width: "minmax(0, 2.5fr)", cell: (row) => row.found },
  {
    key: "advice",
    header: "What to do",
    wrap: true,
    width: "minmax(0, 2.5fr)",
    cell: (row) => row.advice ?? "–",
  },
];
