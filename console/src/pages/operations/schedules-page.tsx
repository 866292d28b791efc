import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = CoordinatorComponents["schemas"]["MaintenanceWindowsOfEnvironment"];

export const SchedulesPage = (): ReactNode => (
  <ListPage
    title="Schedules"
    description="When operations may begin in each environment."
    query={listQuery}
    what="read the schedules"
    rows={({ data }) => data}
    rowKey={(row) => row.environment}
    columns={columns}
    empty="No environment is configured"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.windows, "list"],
  queryFn: ({ signal }) => call(api.coordinator.GET("/api/coordinator/v1/maintenance-windows", { signal })),
});

const columns: readonly Column<Row>[] = [
  { key: "environment", header: "Environment", width: "minmax(0, 1fr)", cell: (row) => row.environment },
  {
    key: "open",
    header: "At the moment",
    width: "minmax(0, 1fr)",
    cell: (row) => (
      <StatusBadge status={row.isOpen ? "OK" : "HELD"}>{row.isOpen ? "Open" : "Closed"}</StatusBadge>
    ),
  },
  { key: "reason", header: "Why", width: "minmax(0, 2fr)", cell: (row) => row.reason ?? "–" },
  {
    key: "windows",
    header: "Windows",
    width: "minmax(0, 2fr)",
    cell: (row) => row.windows.map(({ name }) => name).join(", "),
  },
];
