import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { GovernanceComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";

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
const maxOfPolicy = 100;

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
    getNextPageParam: ({ data, meta: { pagination } }) => {
      const next = pagination.offset + data.length;
      return data.length > 0 && next < pagination.total ? next : undefined;
    },
  });

/** One of a policy's; null where it is not among the latest. */
export const exceptionQuery = (id: string, policy: string | undefined) =>
  queryOptions({
    queryKey: [...keys.exceptions, "one", id],
    queryFn: async ({ signal }) => {
      const { data } = await call(
        api.governance.GET("/v1/computational-governance/exceptions", {
          params: { query: { limit: maxOfPolicy, ...queryOf({ policy }) } },
          signal,
        }),
      );
      return data.find((each) => each.id === id) ?? null;
    },
  });

/** Those that the caller may decide about, with who else may: the list of what waits knows it. */
export const decidableQuery = queryOptions({
  queryKey: [...keys.waiting, "exceptions"],
  queryFn: async ({ signal }) => {
    const { data } = await call(
      api.coordinator.GET("/api/coordinator/v1/waiting", {
        params: { query: { kind: ["EXCEPTION"], limit: maxOfPolicy } },
        signal,
      }),
    );
    return new Map(data.map(({ link, id, whoMayAct }) => [link.exceptionId ?? id, whoMayAct.refs]));
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
