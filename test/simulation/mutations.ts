/** Mistakes that an engine or its storage could make, planted from outside; the judge has to find each of them. */
import type { TaskRow } from "../../src/coordinator/execution/types.ts";
import type { Outbound, OutboundRequest } from "../../src/platform/outbound/outbound.ts";
import type { Flaws } from "./simulate.ts";

const isStart = ({ method, url }: OutboundRequest): boolean =>
  method === "POST" && /\/v1\/(?:un)?provision$/.test(url);

const withRequests =
  (change: (real: Outbound, request: OutboundRequest) => ReturnType<Outbound["request"]>) =>
  (real: Outbound): Outbound => ({ ...real, request: (request) => change(real, request) });

const withFirst = (change: (task: TaskRow) => TaskRow) => {
  let isDone = false;
  return (task: TaskRow): TaskRow => {
    if (isDone) return task;
    const changed = change(task);
    isDone = changed !== task;
    return changed;
  };
};

/** By what is wrong; made anew for each simulation. */
export const mutations: Record<string, () => Flaws> = {
  "a write is acknowledged and lost": () => ({
    storage: { drops: ({ status }) => status === "COMPLETED" },
  }),
  "an intent is lost": () => ({
    storage: { alters: ({ intent_at: _intent, attempts: _attempts, ...change }) => change },
  }),
  "the fence is ignored": () => ({ storage: { ignoresFence: true } }),
  "a call goes out twice": () => ({
    outbound: withRequests((real, request) => {
      if (isStart(request)) void real.request(request).catch(() => {});
      return real.request(request);
    }),
  }),
  "a dependency is skipped": () => ({
    storage: { loads: (task) => ({ ...task, dependsOn: task.dependsOn.slice(1) }) },
  }),
  "a stage is skipped": () => ({ storage: { loads: (task) => ({ ...task, stage: 1 }) } }),
  "a repeat has another body": () => {
    let calls = 0;
    return {
      outbound: withRequests((real, request) =>
        real.request(isStart(request) ? { ...request, body: `{"call":${++calls}}` } : request),
      ),
    };
  },
  "a component that may be half made is called sound": () => ({
    storage: {
      alters: ({ component_status: status, ...change }) =>
        status === undefined || status === "CORRUPT" ? change : { ...change, component_status: status },
    },
  }),
  "a token is forgotten": () => ({ storage: { loads: (task) => ({ ...task, token: null }) } }),
  "the limits are ignored": () => ({ slots: { total: 1_000, perAdapter: 1_000 } }),
  "a task is lost in loading": () => ({
    storage: {
      loads: withFirst((task) => (task.status === "WAITING" ? { ...task, status: "COMPLETED" } : task)),
    },
  }),
  "terminations are not passed on": () => ({ ignoresTerminations: true }),
};
