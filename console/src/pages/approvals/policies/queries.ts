import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { GovernanceComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";

type Schemas = GovernanceComponents["schemas"];
export type Policy = Schemas["Policy"];
export type PolicyVersion = Schemas["PolicyVersions"]["data"][number];
export type Result = Schemas["EvaluationResult"];
export type Report = Schemas["EvaluationReport"];
export type Counts = Report["summary"];
export type NewPolicy = Schemas["NewPolicy"];
export type ChangedPolicy = Schemas["ChangedPolicy"];

export const policyStatuses = ["draft", "grace", "enabled", "disabled"] as const;
export type PolicyStatus = (typeof policyStatuses)[number];
export const kinds = ["policy", "metric"] as const;
export const engines = ["cel", "json-schema", "remote", "cue", "model"] as const;
export const outcomes = ["error", "failed", "warning", "ok"] as const;
export type Outcome = (typeof outcomes)[number];

export interface PolicyFilter {
  q?: string | undefined;
  status?: PolicyStatus | undefined;
  kind?: (typeof kinds)[number] | undefined;
  engine?: (typeof engines)[number] | undefined;
}

const pageSize = 50;
const mostNames = 500;
const reportAskAgainMs = 1000;

export const policiesQuery = ({ q, status, kind, engine }: PolicyFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.policies, "list", { q, status, kind, engine }],
    initialPageParam: 0,
    queryFn: ({ pageParam: offset, signal }) =>
      call(
        api.governance.GET("/v1/computational-governance/policies", {
          params: {
            query: {
              limit: pageSize,
              offset,
              "sort-by": "name",
              ...(q !== undefined && { text: q }),
              ...(status !== undefined && { status: [status] }),
              ...(kind !== undefined && { kind: [kind] }),
              ...(engine !== undefined && { engine: [engine] }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ data, meta: { pagination } }) => {
      const next = pagination.offset + data.length;
      return data.length > 0 && next < pagination.total ? next : undefined;
    },
  });

/** For fields that choose one. */
export const policyNamesQuery = queryOptions({
  queryKey: [...keys.policies, "names"],
  queryFn: async ({ signal }) => {
    const { data } = await call(
      api.governance.GET("/v1/computational-governance/policies", {
        params: { query: { limit: mostNames, "sort-by": "name" } },
        signal,
      }),
    );
    return data.map(({ id, name }) => ({ id, name }));
  },
});

const pathOf = (id: string) => ({ path: { id } });

export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.policies, id],
    queryFn: ({ signal }) =>
      call(api.governance.GET("/v1/computational-governance/policies/{id}", { params: pathOf(id), signal })),
  });

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.policies, id, "versions"],
    queryFn: ({ signal }) =>
      call(
        api.governance.GET("/v1/computational-governance/policies/{id}/versions", {
          params: pathOf(id),
          signal,
        }),
      ),
  });

export interface ResultFilter {
  policy: string;
  environment: string;
  outcome?: Outcome | undefined;
}

const resultQuery = ({ policy, environment, outcome }: ResultFilter) => ({
  policy,
  environment,
  ...(outcome !== undefined && { outcome: [outcome] }),
});

export const resultsQuery = (filter: ResultFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.results, "list", filter],
    enabled: filter.environment !== "",
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        api.governance.GET("/v1/computational-governance/results", {
          params: {
            query: { ...resultQuery(filter), limit: pageSize, ...(cursor !== undefined && { cursor }) },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });

export const countQuery = (filter: ResultFilter) =>
  queryOptions({
    queryKey: [...keys.results, "count", filter],
    enabled: filter.environment !== "",
    queryFn: ({ signal }) =>
      call(
        api.governance.GET("/v1/computational-governance/results/count", {
          params: { query: resultQuery(filter) },
          signal,
        }),
      ),
  });

/** Asked again until it is completed. */
export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.results, "report", id],
    queryFn: ({ signal }) =>
      call(
        api.governance.GET("/v1/computational-governance/evaluation-reports/{id}", {
          params: pathOf(id),
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? reportAskAgainMs : false),
  });
