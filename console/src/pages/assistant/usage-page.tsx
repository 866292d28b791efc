import { queryOptions } from "@tanstack/react-query";
import type { AssistantComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { ListPage } from "../../parts/tables/record-pages.tsx";
import type { Column } from "../../parts/tables/virtual-table.tsx";

type Row = AssistantComponents["schemas"]["Usage"]["data"][number];

export const UsagePage = (): ReactNode => (
  <ListPage
    title="Usage"
    description="Tokens and cost by agent."
    query={listQuery}
    what="read the usage"
    rows={({ data }) => data}
    rowKey={(row) => row.key}
    columns={columns}
    empty="No model was called yet"
  />
);

const listQuery = queryOptions({
  queryKey: [...keys.usage, "list"],
  queryFn: ({ signal }) =>
    call(api.assistant.GET("/api/assistant/v2/usage", { params: { query: { limit: 100 } }, signal })),
});

const columns: readonly Column<Row>[] = [
  { key: "key", header: "Agent", width: "minmax(0, 2fr)", cell: (row) => row.key },
  { key: "calls", header: "Calls", width: "6rem", cell: (row) => row.calls },
  { key: "in", header: "Input tokens", width: "8rem", cell: (row) => row.input_tokens.toLocaleString() },
  { key: "out", header: "Output tokens", width: "8rem", cell: (row) => row.output_tokens.toLocaleString() },
];
