import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { wordsOf } from "../../parts/values/text.ts";
import { TimeAgo } from "../../parts/values/times.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = CoordinatorComponents["schemas"]["WaitingItem"];

export const WaitingPage = (): ReactNode => (
  <ListPage
    title="Waits for me"
    description="What others wait for you to decide, the oldest first."
    query={listQuery}
    what="read what waits for you"
    rows={({ data }) => data}
    rowKey={(row) => `${row.kind} ${row.id}`}
    columns={columns}
    empty="Nothing waits for you"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.waiting, "list"],
  queryFn: ({ signal }) =>
    call(api.coordinator.GET("/api/coordinator/v1/waiting", { params: { query: { limit: 100 } }, signal })),
});

const columns: readonly Column<Row>[] = [
  { key: "title", header: "What", width: "minmax(0, 3fr)", cell: (row) => row.title },
  { key: "kind", header: "Kind", width: "minmax(0, 1fr)", cell: (row) => wordsOf(row.kind) },
  { key: "since", header: "Since", width: "6.5rem", cell: (row) => <TimeAgo at={row.since} /> },
  { key: "until", header: "Until", width: "6.5rem", cell: (row) => <TimeAgo at={row.expiresAt} /> },
];
