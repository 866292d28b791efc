import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { GovernanceComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { findItem, itemsOf, largestPage, nextOffset } from "./all-pages.ts";

export type Exception = GovernanceComponents["schemas"]["Exception"];
export type NewException = GovernanceComponents["schemas"]["NewException"];

export const exceptionStatuses = ["pending", "approved", "rejected", "revoked", "expired"] as const;
export type ExceptionStatus = (typeof exceptionStatuses)[number];

export interface ExceptionFilter {
  status?: ExceptionStatus | undefined;
  policy?: string | undefined;
  resource?: string | undefined;
}

const pageSize = 50;

const queryOf = ({ status, policy, resource }: ExceptionFilter) => ({
  ...(status !== undefined && { status: [status] }),
  ...(policy !== undefined && { policy }),
  ...(resource !== undefined && { resource }),
});

export const exceptionsQuery = (filter: ExceptionFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.exceptions, "list", filter],
    initialPageParam: 0,
    queryFn: ({ pageParam: offset, signal }) =>
      call(
        api.governance.GET("/v1/computational-governance/exceptions", {
          params: { query: { limit: pageSize, offset, ...queryOf(filter) } },
          signal,
        }),
      ),
    getNextPageParam: nextOffset,
  });

/** One of a policy's; null where there is none. Those that wait are looked through first: they are few, and one of them is meant. */
export const exceptionQuery = (id: string, policy: string | undefined) =>
  queryOptions({
    queryKey: [...keys.exceptions, "one", id],
    queryFn: async ({ signal }) => {
      for (const status of ["pending", undefined] as const) {
        const found = await findItem(exceptionsOf({ status, policy }, signal), (each) => each.id === id);
        if (found !== undefined) return found;
      }
      return null;
    },
  });

const exceptionsOf = (filter: ExceptionFilter, signal: AbortSignal): AsyncIterable<Exception> =>
  itemsOf(async (offset: number | undefined) => {
    const page = await call(
      api.governance.GET("/v1/computational-governance/exceptions", {
        params: { query: { limit: largestPage, offset: offset ?? 0, ...queryOf(filter) } },
        signal,
      }),
    );
    return { data: page.data, next: nextOffset(page) };
  });

/** Those that the caller may decide about, with who else may: the list of what waits knows it. */
export const decidableQuery = queryOptions({
  queryKey: [...keys.waiting, "exceptions"],
  queryFn: async ({ signal }) => {
    const items = itemsOf(async (cursor: string | undefined) => {
      const { data, meta } = await call(
        api.coordinator.GET("/api/coordinator/v1/waiting", {
          params: {
            query: {
              kind: ["EXCEPTION"],
              limit: largestPage,
              ...(cursor !== undefined && { cursor }),
            },
          },
          signal,
        }),
      );
      return { data, next: meta.pagination.next ?? undefined };
    });
    const refs = new Map<string, readonly string[]>();
    for await (const { link, id, whoMayAct } of items) refs.set(link.exceptionId ?? id, whoMayAct.refs);
    return refs;
  },
});

export const decideException = (id: string, decision: { approve: boolean; reason: string }) =>
  call(
    api.governance.POST("/v1/computational-governance/exceptions/{id}/decision", {
      params: { path: { id } },
      body: decision,
    }),
  );

export const revokeException = async (id: string): Promise<void> => {
  await call(
    api.governance.DELETE("/v1/computational-governance/exceptions/{id}", { params: { path: { id } } }),
  );
};

export const requestException = (body: NewException) =>
  call(api.governance.POST("/v1/computational-governance/exceptions", { body }));
