import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { whileShort } from "../../../api/long-lists.ts";
import { wordsOf } from "../../../parts/values/text.ts";
import type { noticeStatuses } from "../words.ts";

export type Notice = CoordinatorComponents["schemas"]["Notice"];

const liveMs = 2000;
const restMs = 15_000;

export interface NoticeFilter {
  channel?: string | undefined;
  status?: (typeof noticeStatuses)[number] | undefined;
}

export const noticesQuery = ({ channel, status }: NoticeFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.notices, "list", { channel, status }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/notices", {
          params: {
            query: {
              limit: 50,
              ...(channel !== undefined && { channel }),
              ...(status !== undefined && { status }),
              ...(after !== undefined && { after }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
    // What is being sent has its outcome soon.
    refetchInterval: whileShort((pages) =>
      pages.some(({ data }) => data.some((row) => row.status === "PENDING")) ? liveMs : false,
    ),
  });

export const channelsQuery = queryOptions({
  queryKey: [...keys.notices, "channels"],
  queryFn: ({ signal }) => call(api.coordinator.GET("/api/coordinator/v1/notice-channels", { signal })),
  refetchInterval: restMs,
});

export const noticeQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.notices, "one", id],
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/notices/{notice-id}", {
          params: { path: { "notice-id": id } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === "PENDING" ? liveMs : false),
  });

export const recipientOf = ({ channel, recipient }: Notice): string =>
  recipient === "" ? `chat ${channel}` : recipient;

/** `2 access requests, plan failed`: what a message is about. */
export const aboutOf = ({ isTest, notices }: Notice): string => {
  if (isTest) return "A sample";
  const counts = new Map<string, number>();
  for (const { kind } of notices) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => (count === 1 ? wordsOf(kind) : `${count} × ${wordsOf(kind)}`))
    .join(", ");
};
