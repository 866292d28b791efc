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

type Row = AssistantComponents["schemas"]["ApprovalList"]["data"][number];

export const AssistantApprovalsPage = (): ReactNode => (
  <ListPage
    title="Tool approvals"
    description="Tool calls of your runs that wait for a decision."
    query={listQuery}
    what="list the approvals"
    rows={({ data }) => data}
    rowKey={(row) => row.approval_id}
    columns={columns}
    empty="No tool call waits for approval"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.approvals, "list"],
  queryFn: ({ signal }) =>
    call(api.assistant.GET("/api/assistant/v2/approvals", { params: { query: { limit: 100 } }, signal })),
});

const columns: readonly Column<Row>[] = [
  {
    key: "tool",
    header: "Tool",
    width: "minmax(0, 2fr)",
    cell: (row) => (
      <PageLink
        to="/assistant/$sessionId"
        params={{ sessionId: row.session_id }}
      >{`${row.server} ${row.tool}`}</PageLink>
    ),
  },
  { key: "since", header: "Since", width: "6.5rem", cell: (row) => <TimeAgo at={row.since} /> },
  { key: "until", header: "Until", width: "6.5rem", cell: (row) => <TimeAgo at={row.expires_at} /> },
];
