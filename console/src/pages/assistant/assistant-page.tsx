import { queryOptions } from "@tanstack/react-query";
import type { AssistantComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { PageLink } from "../../parts/page/page-link.tsx";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import { TimeAgo } from "../../parts/values/times.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = AssistantComponents["schemas"]["Session"];

export const AssistantPage = (): ReactNode => (
  <ListPage
    title="Assistant"
    description="Your conversations, the last one first."
    query={listQuery}
    what="list the sessions"
    rows={({ data }) => data}
    rowKey={(row) => row.id}
    columns={columns}
    empty="You have not asked the assistant yet"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.sessions, "list"],
  queryFn: ({ signal }) =>
    call(api.assistant.GET("/api/assistant/v2/sessions", { params: { query: { limit: 100 } }, signal })),
});

const columns: readonly Column<Row>[] = [
  {
    key: "title",
    header: "Conversation",
    width: "minmax(0, 3fr)",
    cell: (row) => (
      <PageLink to="/assistant/$sessionId" params={{ sessionId: row.id }}>
        {row.title}
      </PageLink>
    ),
  },
  { key: "at", header: "Last", width: "6.5rem", cell: (row) => <TimeAgo at={row.updated_at} /> },
];
