import { queryOptions } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import { RecordPage } from "../../parts/tables/record-pages.tsx";

const route = getRouteApi("/assistant/$sessionId");

export const SessionPage = (): ReactNode => {
  const { sessionId } = route.useParams();
  return <RecordPage title={"Conversation"} query={recordQuery(sessionId)} what="read this conversation" />;
};

const recordQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [...keys.sessions, sessionId],
    queryFn: ({ signal }) =>
      call(
        api.assistant.GET("/api/assistant/v2/sessions/{session_id}/messages", {
          params: { path: { session_id: sessionId } },
          signal,
        }),
      ),
  });
