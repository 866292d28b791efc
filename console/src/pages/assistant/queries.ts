import { infiniteQueryOptions, queryOptions, type QueryClient } from "@tanstack/react-query";
import type { AssistantComponents } from "plinth-client";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";
import {
  earlierPage,
  laterPage,
  readMessagePage,
  type MessagePage,
  type MessagePageParam,
} from "./message-pages.ts";
import type { Message } from "./run/stored-run.ts";

export type Session = AssistantComponents["schemas"]["Session"];
export type FoundSession = AssistantComponents["schemas"]["FoundSession"];
export type WaitingApproval = AssistantComponents["schemas"]["WaitingApproval"];

const sessionPage = 50;

export const sessionsQuery = infiniteQueryOptions({
  queryKey: [...keys.sessions, "list"],
  initialPageParam: 0,
  queryFn: ({ pageParam: offset, signal }) =>
    call(
      api.assistant.GET("/api/assistant/v2/sessions", {
        params: { query: { limit: sessionPage, offset } },
        signal,
      }),
    ),
  getNextPageParam: ({ data, meta: { pagination } }) =>
    pagination.offset + data.length < pagination.total ? pagination.offset + data.length : undefined,
});

export const sessionSearchQuery = (q: string) =>
  queryOptions({
    queryKey: [...keys.sessions, "search", q],
    enabled: q !== "",
    queryFn: ({ signal }) =>
      call(
        api.assistant.GET("/api/assistant/v2/sessions/search", {
          params: { query: { q: q.slice(0, 200), limit: 50 } },
          signal,
        }),
      ),
  });

const messagesKey = (sessionId: string) => [...keys.sessions, sessionId, "messages"] as const;

/** From the last messages back to the first. */
export const messagesQuery = (sessionId: string) =>
  infiniteQueryOptions({
    queryKey: messagesKey(sessionId),
    initialPageParam: null as MessagePageParam,
    queryFn: ({ pageParam, signal }): Promise<MessagePage> =>
      readMessagePage(pageParam, (offset, limit) =>
        call(
          api.assistant.GET("/api/assistant/v2/sessions/{session_id}/messages", {
            params: { path: { session_id: sessionId }, query: { offset, limit } },
            signal,
          }),
        ),
      ),
    getNextPageParam: laterPage,
    getPreviousPageParam: earlierPage,
  });

/** Shows a question before its session is read again. */
export const showQuestion = (
  queries: QueryClient,
  asked: { sessionId: string; runId: string; question: string },
): void => {
  const { sessionId, runId, question } = asked;
  const said: Message = {
    id: `asked-${runId}`,
    run_id: runId,
    role: "user",
    content: question,
    tool_calls: [],
    skills: [],
    created_at: new Date().toISOString(),
  };
  queries.setQueryData(messagesQuery(sessionId).queryKey, (known) => {
    const pages = known?.pages ?? [{ messages: [], before: 0 }];
    const last = pages.at(-1);
    if (last === undefined || last.messages.some(({ run_id: id }) => id === runId)) return known;
    return {
      pages: [...pages.slice(0, -1), { ...last, messages: [...last.messages, said] }],
      pageParams: known?.pageParams ?? [null],
    };
  });
};

/** Its state, why it waits, and its approvals with the schemas of their arguments. */
export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: [...keys.runs, runId],
    queryFn: ({ signal }) =>
      call(
        api.assistant.GET("/api/assistant/v2/runs/{run_id}", {
          params: { path: { run_id: runId } },
          signal,
        }),
      ),
  });

export const approvalsQuery = queryOptions({
  queryKey: [...keys.approvals, "list"],
  queryFn: ({ signal }) =>
    call(api.assistant.GET("/api/assistant/v2/approvals", { params: { query: { limit: 100 } }, signal })),
  refetchInterval: 15_000,
});

export const agentsQuery = queryOptions({
  queryKey: [...keys.agents, "enabled"],
  staleTime: 60_000,
  queryFn: ({ signal }) =>
    call(
      api.assistant.GET("/api/assistant/v2/agents", {
        params: { query: { enabled: true, limit: 100 } },
        signal,
      }),
    ),
});

/** The model that answers; an empty provider while there is none. */
export const modelQuery = queryOptions({
  queryKey: ["assistant", "models", "llm"],
  staleTime: 30_000,
  queryFn: ({ signal }) => call(api.assistant.GET("/api/assistant/v2/llm/config", { signal })),
});

/** What a tool says that it does; null where it is not offered at the moment. */
export const toolQuery = (server: string, tool: string) =>
  queryOptions({
    queryKey: ["assistant", "tools", server, tool],
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      const body = { ids: [`${server}:${tool}`] };
      const [found] = await call(api.assistant.POST("/api/assistant/v2/mcp-tools/lookup", { body, signal }));
      return found ?? null;
    },
  });

export const usageGroups = ["agent", "model", "session", "run", "user"] as const;
export type UsageGroup = (typeof usageGroups)[number];

export interface UsageFilter {
  by: UsageGroup;
  owner: "me" | "all";
  /** Begins so many days ago; 0 is everything. */
  days: number;
}

const usagePage = 100;
const dayMs = 86_400_000;

export const usageQuery = ({ by, owner, days }: UsageFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.usage, { by, owner, days }],
    initialPageParam: 0,
    queryFn: ({ pageParam: offset, signal }) =>
      call(
        api.assistant.GET("/api/assistant/v2/usage", {
          params: {
            query: {
              by,
              owner,
              limit: usagePage,
              offset,
              ...(days > 0 && { from: new Date(Date.now() - days * dayMs).toISOString() }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ data, meta: { pagination } }) =>
      pagination.offset + data.length < pagination.total ? pagination.offset + data.length : undefined,
  });

/** What shows sessions, what waits, and what has been used is read again: something has ended or was decided. */
export const readAgain = async (queries: QueryClient, sessionId: string | null): Promise<void> => {
  const stale = [
    [...keys.sessions, "list"],
    keys.approvals,
    keys.waiting,
    keys.usage,
    ...(sessionId === null ? [] : [messagesKey(sessionId)]),
  ];
  await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
};
