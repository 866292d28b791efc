import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { AuthComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import type { tokenStatuses } from "../words.ts";

export type Token = AuthComponents["schemas"]["Token"];
export type MadeToken = AuthComponents["schemas"]["MadeToken"];
export type ServiceAccount = AuthComponents["schemas"]["ServiceAccount"];
export type Role = AuthComponents["schemas"]["Role"];

export interface TokenFilter {
  /** A reference or `all`; the caller's own where it is undefined. */
  owner?: string | undefined;
  /** Active ones where it is undefined. */
  status?: (typeof tokenStatuses)[number] | undefined;
}

export const tokensQuery = ({ owner, status }: TokenFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.tokens, "list", { owner, status }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.auth.GET("/api/auth/v1/tokens", {
          params: {
            query: {
              limit: 100,
              status: status ?? "active",
              ...(owner !== undefined && { owner }),
              ...(after !== undefined && { after }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });

export const serviceAccountsQuery = queryOptions({
  queryKey: [...keys.serviceAccounts, "list"],
  queryFn: ({ signal }) => call(api.auth.GET("/api/auth/v1/service-accounts", { signal })),
});
