/**
 * The rows of plans, tasks and components in memory, with the conditions under which the database changes them: the
 * statement of the group writer, claims, ends and terminations. Answers take time, get lost, or never come.
 */
import type { PlanEnd } from "../../src/coordinator/execution/end-store.ts";
import type { PlanRows } from "../../src/coordinator/execution/store.ts";
import type {
  ComponentStatus,
  PlanRow,
  PlanStatus,
  SnapshotMember,
  TaskRow,
  TaskStatus,
  TerminateMode,
} from "../../src/coordinator/execution/types.ts";
import type { Random } from "../crash/random.ts";
import { epochMs, type Machine, type VirtualClock } from "./clock.ts";

export interface StoredTask extends TaskRow {
  intentAt: number | null;
  componentBefore: ComponentStatus | null;
}

export interface StoredPlan {
  row: PlanRow;
  tasks: Map<string, StoredTask>;
  owner: Machine | null;
  operation: string;
  /** Task and plan events in the order of their ids. */
  events: { type: string; id: string; status: string }[];
  acceptedAt: number;
  /** When each termination was asked for. */
  terminations: { at: number; mode: TerminateMode }[];
  endedAt: number | null;
}

export interface StoredComponent {
  member: SnapshotMember;
  status: ComponentStatus;
  info: unknown;
  planId: string;
}

/** One row of a group, as the writer sends it. */
export interface ChangeRow {
  slot: number;
  task_id: string;
  from_status: TaskStatus;
  status: TaskStatus;
  intent_at?: string;
  attempts?: number;
  may_have_acted?: boolean;
  token?: string;
  result?: string;
  info?: TaskRow["info"];
  started_at?: string;
  component_status?: ComponentStatus;
}

interface PlanShare {
  slot: number;
  plan_id: string;
  fence: number;
  seq: number;
}

/** The observer, which is notified of every change at the moment it is committed. */
export interface StorageWatch {
  changed(machine: Machine, plan: StoredPlan, change: ChangeRow, group: number): void;
  ended(machine: Machine, plan: StoredPlan, status: PlanStatus): void;
}

export interface Conditions {
  /** Chance that an exchange with the storage breaks, half of them after it has done what it was asked. */
  breaks: number;
  /** From when to when nothing is reachable. */
  outages: { from: number; to: number }[];
}

/** What a planted mistake changes in the storage; see mutations.ts. */
export interface StorageFlaws {
  ignoresFence?: boolean;
  /** Changes that are acknowledged but not made. */
  drops?: (change: ChangeRow) => boolean;
  alters?: (change: ChangeRow) => ChangeRow;
  loads?: (task: TaskRow) => TaskRow;
}

export interface StorageOptions {
  clock: VirtualClock;
  random: Random;
  conditions: Conditions;
  flaws: StorageFlaws;
  /** Called when an exchange breaks: what should have ended by then may take longer. */
  onTrouble: () => void;
  onExchange: (machine: Machine) => void;
}

export const isActive = (plan: StoredPlan): boolean =>
  ["WAITING", "RUNNING", "TERMINATING"].includes(plan.row.status);

export function createStorage(options: StorageOptions) {
  const { clock, random, conditions, flaws } = options;
  const plans = new Map<string, StoredPlan>();
  const components = new Map<string, Map<string, StoredComponent>>();
  /** Groups that a machine has sent; sending one again counts once. */
  const groups = new Map<Machine, Map<unknown, number>>();
  const groupsOf = (machine: Machine): Map<unknown, number> => {
    const known = groups.get(machine) ?? new Map<unknown, number>();
    groups.set(machine, known);
    return known;
  };
  let watch: StorageWatch = { changed() {}, ended() {} };

  /** One exchange: there, the work, and back; each part may fail. */
  const exchange = <T>(machine: Machine, work: () => T): Promise<T> =>
    new Promise((done, fail) => {
      options.onExchange(machine);
      const answer = (settle: () => void): void => clock.after(0.1 + random() * 3, settle, machine);
      clock.after(0.1 + random() * 3, () => {
        const now = clock.nowMs();
        const isOut = conditions.outages.some(({ from, to }) => from <= now && now < to);
        const breaks = random() < conditions.breaks;
        if (isOut || (breaks && random() < 0.5)) {
          options.onTrouble();
          return answer(() => fail(lost("connect ECONNREFUSED", "ECONNREFUSED")));
        }
        try {
          const result = structuredClone(work());
          if (breaks) {
            options.onTrouble();
            answer(() => fail(lost("Connection terminated unexpectedly")));
          } else answer(() => done(result));
        } catch (error) {
          answer(() => fail(error));
        }
      });
    });

  const writeGroup = (machine: Machine, values: string[], group: number): object[] => {
    const [shares, changes, events] = values.map((value) => JSON.parse(value) as unknown) as [
      PlanShare[],
      ChangeRow[],
      { slot: number; type: string; data: { id: string; status: string } }[],
    ];
    const locked = new Map<number, StoredPlan>();
    const verdicts: object[] = [];
    for (const share of shares) {
      const plan = plans.get(share.plan_id);
      if (!plan || (plan.row.fence !== share.fence && !flaws.ignoresFence)) continue;
      const isFresh = flaws.ignoresFence || plan.row.writeSeq < share.seq;
      if (isFresh && isActive(plan)) locked.set(share.slot, plan);
      else if (plan.row.writeSeq < share.seq) continue;
      verdicts.push({ slot: share.slot, terminateMode: plan.row.terminateMode });
    }
    const applied = changes.filter((change) => locked.has(change.slot));
    for (const change of applied) {
      const task = locked.get(change.slot)?.tasks.get(change.task_id);
      if (task?.status !== change.from_status) throw new Error("division by zero");
    }
    for (const { slot, seq } of shares) {
      const plan = locked.get(slot);
      if (plan) plan.row.writeSeq = seq;
    }
    for (const change of applied) {
      const plan = locked.get(change.slot)!;
      if (flaws.drops?.(change)) continue;
      applyChange(plan, machine, { change: flaws.alters?.(change) ?? change, group });
    }
    for (const { slot, type, data } of events) {
      if (type !== "log") locked.get(slot)?.events.push({ type, id: data.id, status: data.status });
    }
    return verdicts;
  };
  const applyChange = (
    plan: StoredPlan,
    machine: Machine,
    { change, group }: { change: ChangeRow; group: number },
  ): void => {
    const task = plan.tasks.get(change.task_id)!;
    watch.changed(machine, plan, change, group);
    task.status = change.status;
    if (change.intent_at !== undefined) task.intentAt = clock.nowMs();
    task.attempts = change.attempts ?? task.attempts;
    task.mayHaveActed = change.may_have_acted ?? task.mayHaveActed;
    task.token = change.token ?? task.token;
    task.result = change.result ?? task.result;
    task.info = change.info ?? task.info;
    if (change.started_at !== undefined) task.startedAt = new Date(change.started_at);
    if (!change.component_status) return;
    for (const member of task.snapshot?.members ?? []) {
      unitOf(plan.row.unitKey ?? "").set(member.key, {
        member,
        status: change.component_status,
        info: change.info ?? null,
        planId: plan.row.id,
      });
    }
  };
  const unitOf = (unitKey: string): Map<string, StoredComponent> => {
    const unit = components.get(unitKey) ?? new Map<string, StoredComponent>();
    components.set(unitKey, unit);
    return unit;
  };
  const endPlan = (machine: Machine, row: PlanRow, end: PlanEnd): unknown => {
    const plan = plans.get(row.id);
    if (!plan || !isActive(plan) || (plan.row.fence !== row.fence && !flaws.ignoresFence)) return false;
    const isAsked = plan.row.terminateMode !== null && end.status !== "COMPLETED";
    const status = isAsked ? "TERMINATED" : end.status;
    watch.ended(machine, plan, status);
    plan.row.status = status;
    plan.owner = null;
    plan.operation = status === "COMPLETED" ? "SUCCEEDED" : status;
    plan.endedAt = clock.nowMs();
    plan.events.push({ type: "plan", id: row.id, status });
    return true;
  };

  return {
    plans,
    unitOf,
    groupsOf: (machine: Machine): number => groupsOf(machine).size,
    watchWith: (watcher: StorageWatch): void => void (watch = watcher),
    pool: (machine: Machine) => ({
      async query({ values }: { values: string[] }) {
        const sent = groupsOf(machine);
        const group = sent.get(values) ?? sent.size + 1;
        sent.set(values, group);
        return { rows: await exchange(machine, () => writeGroup(machine, values, group)) };
      },
    }),
    rows: (machine: Machine): PlanRows => ({
      loadTasks: (planId) =>
        exchange(machine, () =>
          [...(plans.get(planId)?.tasks.values() ?? [])].map((task) => load(task, flaws)),
        ),
      readAdapterUrls: () => exchange(machine, () => new Map()),
      readDeployed: () => exchange(machine, () => null),
      readAdapterLogs: () => exchange(machine, () => []),
      endPlan: (row, end) => exchange(machine, () => endPlan(machine, row, end) as boolean),
    }),
    release: (machine: Machine, planId: string, fence: number): Promise<void> =>
      exchange(machine, () => {
        const plan = plans.get(planId);
        if (plan && isActive(plan) && plan.row.fence === fence) plan.owner = null;
      }),
    insert(row: PlanRow, tasks: TaskRow[]): void {
      const stored = tasks.map((task) => [task.taskId, storedTask(task, unitOf(row.unitKey ?? ""))] as const);
      plans.set(row.id, {
        row,
        tasks: new Map(stored),
        owner: null,
        operation: "SCHEDULED",
        events: [],
        acceptedAt: clock.nowMs(),
        terminations: [],
        endedAt: null,
      });
    },
    /** The plan becomes the machine's if nobody living drives it; the row as the machine gets to see it. */
    claim: (machine: Machine, planId: string, isLost: (owner: Machine) => boolean): Promise<PlanRow | null> =>
      exchange(machine, () => {
        const plan = plans.get(planId);
        if (!plan || !isActive(plan)) return null;
        if (plan.owner && plan.owner !== machine && !isLost(plan.owner)) return null;
        plan.owner = machine;
        plan.row.fence++;
        if (plan.row.status === "WAITING") plan.row.status = "RUNNING";
        if (plan.operation === "SCHEDULED") plan.operation = "RUNNING";
        return plan.row;
      }),
    /** False when the plan has ended already. */
    terminate(planId: string, mode: TerminateMode): boolean {
      const plan = plans.get(planId);
      if (!plan || !isActive(plan)) return false;
      const { row } = plan;
      const isStronger = row.terminateMode === null || (row.terminateMode === "safe" && mode === "forced");
      if (isStronger) {
        row.terminateMode = mode;
        row.terminateAt = new Date(epochMs + clock.nowMs());
        plan.terminations.push({ at: clock.nowMs(), mode });
      }
      row.status = "TERMINATING";
      plan.operation = "TERMINATING";
      plan.events.push({ type: "plan", id: planId, status: "TERMINATING" });
      return true;
    },
  };
}

export type Storage = ReturnType<typeof createStorage>;

const load = (task: StoredTask, flaws: StorageFlaws): TaskRow => flaws.loads?.({ ...task }) ?? { ...task };

const storedTask = (task: TaskRow, known: Map<string, StoredComponent>): StoredTask => ({
  ...task,
  intentAt: null,
  componentBefore: known.get(task.componentKey ?? "")?.status ?? null,
});

const lost = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code ? { code } : {});
