import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { whileShort } from "../../../api/long-lists.ts";

export type WaitingItem = CoordinatorComponents["schemas"]["WaitingItem"];

export const waitingKinds = [
  "HOOK",
  "APPROVAL",
  "EXCEPTION",
  "FAILED_OPERATION",
  "HELD_PLAN",
  "RECONCILE",
  "UNKNOWN_OUTCOME",
] as const;
export type WaitingKind = (typeof waitingKinds)[number];

const pageSize = 50;
const askAgainMs = 15_000;

export const waitingQuery = (kinds: readonly WaitingKind[]) =>
  infiniteQueryOptions({
    queryKey: [...keys.waiting, "list", kinds],
    refetchInterval: whileShort(askAgainMs),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/waiting", {
          params: {
            query: {
              limit: pageSize,
              ...(kinds.length > 0 && { kind: [...kinds] }),
              ...(cursor !== undefined && { cursor }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });

export const reconcileQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.reconciles, id],
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/reconciles/{reconcile-id}", {
          params: { path: { "reconcile-id": id } },
          signal,
        }),
      ),
  });

const reconcilePath = (id: string) => ({ path: { "reconcile-id": id } });

export const approveReconcile = (id: string) =>
  call(
    api.coordinator.POST("/api/coordinator/v1/reconciles/{reconcile-id}/approve", {
      params: reconcilePath(id),
    }),
  );

export const refuseReconcile = (id: string, reason: string) =>
  call(
    api.coordinator.POST("/api/coordinator/v1/reconciles/{reconcile-id}/refuse", {
      params: reconcilePath(id),
      body: { reason },
    }),
  );
