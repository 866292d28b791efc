import { queryOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { RecordPage } from "../../parts/tables/record-pages.tsx";

export const SettingsPage = (): ReactNode => (
  <RecordPage title="My settings" query={recordQuery} what="read your choices" />
);

const recordQuery = queryOptions({
  queryKey: [...keys.notices, "own"],
  queryFn: ({ signal }) => call(api.coordinator.GET("/api/coordinator/v1/notice-choices", { signal })),
});
