/**
 * Pure. The limits of a task: those of its adapter override those of its environment, and these the defaults.
 */

/** Configured limits of one environment. */
export interface EnvironmentLimits {
  name: string;
  callTimeoutMs?: number | undefined;
  taskTimeoutMs?: number | undefined;
  operationTimeoutMs?: number | undefined;
  parallelTasks?: number | undefined;
}

/** Configured limits of one adapter, in all environments or in one. */
export interface AdapterLimits {
  id: string;
  environment?: string | undefined;
  callTimeoutMs?: number | undefined;
  taskTimeoutMs?: number | undefined;
  parallelTasks?: number | undefined;
}

export interface LimitOverrides {
  environments?: readonly EnvironmentLimits[];
  adapters?: readonly AdapterLimits[];
}

/** Environment and adapter of a task. */
export interface TaskPlace {
  environment: string;
  adapterId: string | null;
}

export interface TaskTimes {
  callTimeoutMs: number;
  taskTimeoutMs: number;
}

export const timesOf = (limits: TaskTimes & LimitOverrides, place: TaskPlace): TaskTimes => ({
  callTimeoutMs: ownOf(limits, place, "callTimeoutMs") ?? limits.callTimeoutMs,
  taskTimeoutMs: ownOf(limits, place, "taskTimeoutMs") ?? limits.taskTimeoutMs,
});

export const operationTimeoutOf = (
  limits: LimitOverrides & { operationTimeoutMs: number },
  environment: string,
): number => environmentOf(limits, environment)?.operationTimeoutMs ?? limits.operationTimeoutMs;

/** Parallel tasks of one adapter. */
export const adapterPlacesOf = (limits: LimitOverrides & { perAdapter: number }, place: TaskPlace): number =>
  adapterOf(limits, place, "parallelTasks") ?? limits.perAdapter;

/** Maximum number of parallel tasks in one environment; an environment without a limit has only that of the process. */
export const environmentPlacesOf = (limits: LimitOverrides, environment: string): number =>
  environmentOf(limits, environment)?.parallelTasks ?? Infinity;

type OwnTime = "callTimeoutMs" | "taskTimeoutMs";

const ownOf = (limits: LimitOverrides, place: TaskPlace, field: OwnTime): number | undefined =>
  adapterOf(limits, place, field) ?? environmentOf(limits, place.environment)?.[field];

const environmentOf = ({ environments }: LimitOverrides, name: string): EnvironmentLimits | undefined =>
  environments?.find((entry) => entry.name === name);

function adapterOf(
  { adapters }: LimitOverrides,
  { environment, adapterId }: TaskPlace,
  field: OwnTime | "parallelTasks",
): number | undefined {
  const own = adapters?.filter((entry) => entry.id === adapterId) ?? [];
  const here = own.find((entry) => entry.environment === environment)?.[field];
  return here ?? own.find((entry) => entry.environment === undefined)?.[field];
}
