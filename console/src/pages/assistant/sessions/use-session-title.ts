import { useInfiniteQuery } from "@tanstack/react-query";
import { messagesQuery, sessionsQuery } from "../queries.ts";

const maxTitle = 80;

/** Its name; until it has one, its first question that is known. */
export const useSessionTitle = (sessionId: string): string => {
  const { data: sessions } = useInfiniteQuery(sessionsQuery);
  const { data: messages } = useInfiniteQuery(messagesQuery(sessionId));
  const session = sessions?.pages.flatMap(({ data }) => data).find(({ id }) => id === sessionId);
  const asked = messages?.pages[0]?.messages.find(({ role }) => role === "user")?.content ?? "";
  const title = session?.title || asked.split("\n", 1)[0] || "Conversation";
  return title.length > maxTitle ? `${title.slice(0, maxTitle - 1)}…` : title;
};
