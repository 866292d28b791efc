import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { TimeAgo } from "../../parts/values/times.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = CoordinatorComponents["schemas"]["WebhookDelivery"];

export const WebhooksPage = (): ReactNode => (
  <ListPage
    title="Webhooks"
    description="Events that were sent to other systems."
    query={listQuery}
    what="list the deliveries"
    who="operators"
    rows={({ data }) => data}
    rowKey={(row) => String(row.id)}
    columns={columns}
    empty="No event was sent"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.webhooks, "list"],
  queryFn: ({ signal }) =>
    call(
      api.coordinator.GET("/api/coordinator/v1/webhook-deliveries", {
        params: { query: { limit: 100 } },
        signal,
      }),
    ),
});

const columns: readonly Column<Row>[] = [
  { key: "type", header: "Event", width: "minmax(0, 2fr)", cell: (row) => row.type },
  { key: "webhook", header: "Webhook", width: "minmax(0, 1fr)", cell: (row) => row.webhook },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1fr)",
    cell: (row) => <StatusBadge status={row.status} />,
  },
  { key: "at", header: "Made", width: "6.5rem", cell: (row) => <TimeAgo at={row.createdAt} /> },
];
