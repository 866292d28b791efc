import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { BuilderComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { whileShort } from "../../../api/long-lists.ts";

export type Hook = BuilderComponents["schemas"]["Hook"];
export type Deployment = NonNullable<Hook["deployment"]>;

export const hookStatuses = ["pending", "OK", "KO"] as const;
export type HookStatus = (typeof hookStatuses)[number];

const pageSize = 50;
const askAgainMs = 10_000;

export const hooksQuery = (status: HookStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: [...keys.hooks, "list", status],
    refetchInterval: whileShort(askAgainMs),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.builder.GET("/api/builder/hooks", {
          params: {
            query: {
              limit: pageSize,
              ...(status !== undefined && { status }),
              ...(after !== undefined && { after }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });

/** Asked again while it waits: somebody else may decide. */
export const hookQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.hooks, id],
    queryFn: ({ signal }) =>
      call(api.builder.GET("/api/builder/hooks/{id}", { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? askAgainMs : false),
  });

export const answerHook = (id: string, { approve, reason }: { approve: boolean; reason: string }) =>
  call(
    api.builder.POST("/api/builder/hooks/{id}/answer", {
      params: { path: { id } },
      body: { status: approve ? "OK" : "KO", ...(reason !== "" && { reason }) },
    }),
  );
