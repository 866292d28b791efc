/** What this process counts of plans: claims, tasks, calls and writes. What waits in the database is in watching/metrics.ts. */
import { boundValues, type Instruments } from "../platform/telemetry/instruments.ts";
import type { AdapterCall, AdapterClient } from "./adapters/protocol/client.ts";
import type { ServiceClient } from "./adapters/protocol/service-client.ts";
import { isTerminal } from "./execution/transitions.ts";
import type { PlanStatus, TaskAction, TaskStatus } from "./execution/types.ts";

export interface PlanMetrics {
  claimed(isFirst: boolean): void;
  claimLost(): void;
  /** `seconds` since its first task began; null where none has. */
  planEnded(plan: { kind: string; status: PlanStatus; seconds: number | null }): void;
  /** `seconds` since it began; null where it has not. */
  taskEnded(task: EndedTask): void;
  /** Of one write, from its being handed over to its commit. */
  wrote(seconds: number): void;
  writeRepeated(): void;
}

interface EndedTask {
  action: TaskAction;
  adapterId: string | null;
  status: TaskStatus;
  seconds: number | null;
}

const durations = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600];
const callDurations = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];
const writeDurations = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

/** Ids of adapters that users register: beyond `maxAdapters` of them the label is `other`. */
const adapterLabel = (maxAdapters: number): ((id: string | null) => string) => {
  const bound = boundValues(maxAdapters);
  return (id) => (id === null ? "none" : bound(id));
};

export function createPlanMetrics(instruments: Instruments, maxAdapters: number): PlanMetrics {
  const adapterOf = adapterLabel(maxAdapters);
  const claims = instruments.counter({
    name: "plinth_plan_claims_total",
    help: "Plans that this process has claimed: new ones, and those taken_over from a worker that is gone or has released them.",
    labels: ["how"],
  });
  const lost = instruments.counter({
    name: "plinth_plan_claims_lost_total",
    help: "Plans whose claim this process has lost to another worker, or that ended under it.",
  });
  const plans = instruments.counter({
    name: "plinth_plans_ended_total",
    help: "Plans that this process has driven to their end, by kind and outcome.",
    labels: ["kind", "outcome"],
  });
  const planSeconds = instruments.histogram({
    name: "plinth_plan_duration_seconds",
    help: "Time from the beginning of a plan's first task to the plan's end, by kind.",
    labels: ["kind"],
    buckets: durations,
  });
  const tasks = instruments.counter({
    name: "plinth_tasks_ended_total",
    help: "Tasks of plans that have ended, by action, adapter (or external service) and outcome.",
    labels: ["action", "adapter", "outcome"],
  });
  const taskSeconds = instruments.histogram({
    name: "plinth_task_duration_seconds",
    help: "Time of a task from its first call to its end, by action and adapter; tasks that never began are not in it.",
    labels: ["action", "adapter"],
    buckets: durations,
  });
  const writeSeconds = instruments.histogram({
    name: "plinth_plan_write_duration_seconds",
    help: "Time until a change of a task was committed, with the wait for its group.",
    buckets: writeDurations,
  });
  const repeats = instruments.counter({
    name: "plinth_plan_writes_repeated_total",
    help: "Groups of changes that were sent to the database again after an error.",
  });
  return {
    claimed: (isFirst) => claims.add([isFirst ? "new" : "taken_over"]),
    claimLost: () => lost.add(),
    planEnded({ kind, status, seconds }) {
      plans.add([kind.toLowerCase(), status.toLowerCase()]);
      if (seconds !== null) planSeconds.observe(seconds, [kind.toLowerCase()]);
    },
    taskEnded({ action, adapterId, status, seconds }) {
      const labels = [action.toLowerCase(), adapterOf(adapterId)];
      tasks.add([...labels, status.toLowerCase()]);
      if (seconds !== null) taskSeconds.observe(seconds, labels);
    },
    wrote: (seconds) => writeSeconds.observe(seconds),
    writeRepeated: () => repeats.add(),
  };
}

/** A task of a plan that this process drives. */
interface OpenTask {
  action: TaskAction;
  status: TaskStatus;
  token: string | null;
  isRetrying?: boolean;
}

interface Driven {
  lease: { isHeld: () => boolean; heartbeatMs: () => number };
  plans: () => number;
  tasks: () => Iterable<OpenTask>;
  slots: () => { used: number; limit: number; waiting: number };
}

/** What the plan worker has under way. */
export function watchDrivenPlans(instruments: Instruments, { lease, plans, tasks, slots }: Driven): void {
  instruments.gauge(
    {
      name: "plinth_worker_lease_held",
      help: "Whether this process's worker has its session with the database (1); without it others take its plans over (0).",
    },
    (set) => set(lease.isHeld() ? 1 : 0),
  );
  instruments.gauge(
    {
      name: "plinth_worker_heartbeat_age_seconds",
      help: "Time since this process's worker wrote its last heartbeat.",
    },
    (set) => set(lease.heartbeatMs() / 1_000),
  );
  instruments.gauge({ name: "plinth_plans_driven", help: "Plans that this process drives now." }, (set) =>
    set(plans()),
  );
  instruments.gauge(
    {
      name: "plinth_tasks_open",
      help:
        "Tasks of the plans that this process drives, by what they wait for: predecessors, a slot (a place among the tasks that run " +
        "at once), the answer to a call, the next attempt of one (retry), the adapter (polled), policies, or stopping.",
      labels: ["waits_for"],
    },
    (set) => {
      const counts = new Map(waitsFor.map((reason) => [reason, 0]));
      for (const task of tasks()) {
        const reason = reasonOf(task);
        if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
      const { waiting } = slots();
      counts.set("slot", waiting);
      counts.set("predecessors", Math.max(0, (counts.get("predecessors") ?? 0) - waiting));
      for (const [reason, count] of counts) set(count, [reason]);
    },
  );
  instruments.gauge({ name: "plinth_task_slots_used", help: "Tasks that run in this process now." }, (set) =>
    set(slots().used),
  );
  instruments.gauge(
    {
      name: "plinth_task_slots",
      help: "Tasks that may run at once in this process (coordinator.execution.parallelTasks).",
    },
    (set) => set(slots().limit),
  );
}

const waitsFor = ["predecessors", "slot", "call", "retry", "adapter", "policies", "stopping"];

/** Those that wait for a slot count under `predecessors` here. */
function reasonOf({ action, status, token, isRetrying }: OpenTask): string | null {
  if (isTerminal(status)) return null;
  if (status === "WAITING") return "predecessors";
  if (status === "TERMINATING") return "stopping";
  if (isRetrying === true) return "retry";
  if (action === "POLICY_VALIDATE_COMPONENT") return "policies";
  return token === null ? "call" : "adapter";
}

interface Calls {
  adapters: AdapterClient;
  services: ServiceClient;
}

interface CallAnswer {
  type: string;
  /** Of a fault. */
  reason?: string;
}

/** The same clients, with every call counted by adapter, kind of call and outcome. */
export function countCalls(
  { adapters, services }: Calls,
  instruments: Instruments,
  maxAdapters: number,
): Calls {
  const adapterOf = adapterLabel(maxAdapters);
  const calls = instruments.counter({
    name: "plinth_adapter_calls_total",
    help:
      "Calls of tech adapters and external services, polls among them, by adapter, kind of call and outcome: the kind of answer " +
      "(done, accepted, running, validated, refused, …) or of fault (timeout, unavailable, server_error, malformed, …).",
    labels: ["adapter", "call", "outcome"],
  });
  const seconds = instruments.histogram({
    name: "plinth_adapter_call_duration_seconds",
    help: "Time until the answer to a call of a tech adapter or external service was there, by adapter and kind of call.",
    labels: ["adapter", "call"],
    buckets: callDurations,
  });
  const count = async <Answer extends CallAnswer>(
    { adapterId = null }: Pick<AdapterCall, "adapterId">,
    call: string,
    send: () => Promise<Answer>,
  ): Promise<Answer> => {
    const startedAt = performance.now();
    const answer = await send();
    const labels = [adapterOf(adapterId), call];
    calls.add([...labels, answer.type === "fault" ? (answer.reason ?? "fault") : answer.type]);
    seconds.observe((performance.now() - startedAt) / 1_000, labels);
    return answer;
  };
  return {
    adapters: {
      validate: (call, body) => count(call, "validate", () => adapters.validate(call, body)),
      startValidation: (call, body) =>
        count(call, "start-validation", () => adapters.startValidation(call, body)),
      pollValidation: (call, token) =>
        count(call, "poll-validation", () => adapters.pollValidation(call, token)),
      start: (call, operation, body) => count(call, operation, () => adapters.start(call, operation, body)),
      poll: (call, token, operation) => count(call, "poll", () => adapters.poll(call, token, operation)),
      terminate: (call, token) => count(call, "terminate", () => adapters.terminate(call, token)),
    },
    services: {
      notify: (call, serviceId, body) =>
        count({ adapterId: serviceId }, "notify", () => services.notify(call, serviceId, body)),
    },
  };
}
