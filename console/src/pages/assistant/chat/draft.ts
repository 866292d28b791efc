import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState, type Dispatch, type SetStateAction } from "react";

export interface Draft {
  /** What is in the field. */
  text: string;
  setText: Dispatch<SetStateAction<string>>;
}

const draftKey = (sessionId: string | null) => ["assistant", "drafts", sessionId] as const;

/** What was written while a conversation began goes on in it: a page of its own shows the conversation then. */
export const keepDraft = (queries: QueryClient, sessionId: string, text: string): void => {
  if (text !== "") queries.setQueryData(draftKey(sessionId), text);
};

/** Begins with what was kept for that conversation. */
export const useDraft = (sessionId: string | null): Draft => {
  const queries = useQueryClient();
  const [text, setText] = useState(() => queries.getQueryData<string>(draftKey(sessionId)) ?? "");
  useEffect(
    () => queries.removeQueries({ queryKey: draftKey(sessionId), exact: true }),
    [queries, sessionId],
  );
  return { text, setText };
};
