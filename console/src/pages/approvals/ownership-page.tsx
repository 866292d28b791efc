import { queryOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { RecordPage } from "../../parts/tables/record-pages.tsx";

export const OwnershipPage = (): ReactNode => (
  <RecordPage title="Ownership rules" query={recordQuery} what="read the rules" />
);

const recordQuery = queryOptions({
  queryKey: [...keys.ownership, "own"],
  queryFn: ({ signal }) =>
    call(api.governance.GET("/v1/computational-governance/ownership-rules", { signal })),
});
