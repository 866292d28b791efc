import { infiniteQueryOptions, queryOptions, type InfiniteData } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { fullPage, type LogPage } from "./log/log-pages.ts";
import { readPlanStatus } from "./preload.ts";

type Schemas = CoordinatorComponents["schemas"];
export type Operation = Schemas["OperationList"]["data"][number];
export type Timing = Schemas["PlanTiming"];
export type TaskTiming = Schemas["TaskTiming"];

export const planStatusQuery = (token: string) =>
  queryOptions({
    queryKey: [...keys.plan(token), "status"],
    // Comparing a large graph with the one before costs more than rendering what has changed.
    structuralSharing: false,
    queryFn: ({ signal }) => readPlanStatus(token, signal),
  });

export const planTimingQuery = (token: string) =>
  queryOptions({
    queryKey: [...keys.plan(token), "timing"],
    structuralSharing: false,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/execution-plans/{token}/timing", {
          params: { path: { token } },
          signal,
        }),
      ),
  });

/** The operation that the plan carries out; null for a plan of something else, such as a change of access. */
export const operationOfPlanQuery = (token: string) =>
  queryOptions({
    queryKey: [...keys.plan(token), "operation"],
    queryFn: async ({ signal }): Promise<Operation | null> => {
      const { data } = await call(
        api.coordinator.GET("/api/coordinator/v2/provisioning-operations", {
          params: { query: { "execution-plan-id": token, "include-progress": true, limit: 1 } },
          signal,
        }),
      );
      return data[0] ?? null;
    },
  });

/** What was sent for each task: read on demand, because it contains every descriptor. */
export const planDescriptorsQuery = (token: string) =>
  queryOptions({
    queryKey: [...keys.plan(token), "descriptors"],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const { dag } = await call(
        api.coordinator.GET("/api/coordinator/v1/execution-plans/{token}", {
          params: { path: { token }, query: { "include-descriptors": true } },
          signal,
        }),
      );
      const found = new Map<string, string>();
      const stack = [dag];
      for (let node = stack.pop(); node; node = stack.pop()) {
        if (node.descriptor !== "") found.set(node.id, node.descriptor);
        for (const before of node.dependsOnTasks) stack.push(before);
      }
      return found;
    },
  });

const logPage = 1000;

export interface LogFilter {
  taskId?: string | undefined;
  level?: Schemas["LogSeverity"] | undefined;
}

/** The common part of the query keys of all logs of a plan: of the whole plan and of each task, at every severity. */
export const planLogKey = (token: string) => [...keys.plan(token), "log"] as const;

/** The stored log, page by page in the order of writing. */
export const planLogQuery = (token: string, { taskId, level }: LogFilter) =>
  infiniteQueryOptions({
    queryKey: [...planLogKey(token), { taskId, level }],
    initialPageParam: 0,
    queryFn: async ({ client, queryKey, pageParam, signal }): Promise<LogPage> => {
      const full = fullPage(client.getQueryData<InfiniteData<LogPage, number>>(queryKey), pageParam);
      if (full !== undefined) return full;
      let next: number | null = null;
      const lines = await call(
        api.coordinator
          .GET("/api/coordinator/v1/logs/{provisioning_plan_id}", {
            params: {
              path: { provisioning_plan_id: token },
              query: {
                after: pageParam,
                limit: logPage,
                ...(taskId !== undefined && { task_id: taskId }),
                ...(level !== undefined && { level }),
              },
            },
            signal,
          })
          .then((answer) => {
            next = nextOf(answer.response.headers.get("link"));
            return answer;
          }),
      );
      return { lines, next };
    },
    getNextPageParam: ({ next }) => next,
  });

/** The position in a header such as `</api/…?after=70&limit=20>; rel="next"`. */
const nextOf = (link: string | null): number | null => {
  const [, after] = /[?&]after=(\d+)[^>]*>;\s*rel="?next/.exec(link ?? "") ?? [];
  return after === undefined ? null : Number(after);
};

export const terminationQuery = (token: string) =>
  queryOptions({
    queryKey: [...keys.plan(token), "termination"],
    staleTime: 0,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/execution-plans/{token}/termination", {
          params: { path: { token } },
          signal,
        }),
      ),
  });

/** The last operations of the unit that succeeded: what one can roll back to. */
export const rollbackTargetsQuery = (unitId: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.operations, "succeeded", unitId, environment],
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v2/provisioning-operations", {
          params: {
            query: {
              environment: [environment],
              "deployment-unit-id": unitId,
              status: ["SUCCEEDED"],
              limit: 20,
            },
          },
          signal,
        }),
      ),
  });

export const outcomesOfUnitQuery = (unitId: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.unknownOutcomes, { unitId, environment }],
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/unknown-outcomes", {
          params: { query: { environment, "deployment-unit-id": unitId, limit: 100 } },
          signal,
        }),
      ),
  });
