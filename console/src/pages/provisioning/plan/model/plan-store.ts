/**
 * The tasks of one plan, outside of React: fifty events a second re-render the rows and nodes in view that changed, and nothing
 * else. Filled by the plan's status and kept up to date by its events, in any order: a task never goes back.
 */
import type { StreamEvent } from "plinth-client";
import { createSignal, type Signal } from "../../../../api/signal.ts";
import { createLogBuffer, type LogBuffer } from "./log-buffer.ts";
import { isOlder, isOver, timeOf, type PlanNode, type TaskStatusWord } from "./plan-nodes.ts";
import { progressOf, type Progress } from "./progress.ts";

export interface PlanStore {
  /** All nodes in the order of the plan; changes with each batch of events. */
  nodes: Signal<readonly PlanNode[]>;
  progress: Signal<Progress>;
  log: LogBuffer;
  get(id: string): PlanNode | undefined;
  subscribe(id: string, listener: () => void): () => void;
  /** Takes what a status says. */
  load(nodes: readonly PlanNode[]): void;
  /** Takes the events of a batch; says whether a task or the plan moved. */
  apply(events: readonly StreamEvent[]): boolean;
}

interface TaskEvent {
  id: string;
  status: TaskStatusWord;
  startTime?: string;
  stopTime?: string;
  message?: string;
  /** Of a plan alone. */
  at?: string;
}

/** An event of the plan says when it happened; the last one ends it. */
const asTask = (event: TaskEvent): TaskEvent =>
  isOver(event.status) && event.at !== undefined ? { ...event, stopTime: event.at } : event;

export function createPlanStore(planId: string): PlanStore {
  const byId = new Map<string, PlanNode>();
  const listeners = new Map<string, Set<() => void>>();
  const nodes = createSignal<readonly PlanNode[]>([]);
  const progress = createSignal(progressOf([]));
  const log = createLogBuffer();
  const publish = (changed: Iterable<string>): void => {
    nodes.set([...byId.values()]);
    progress.set(progressOf(byId.values()));
    for (const id of changed) for (const listener of listeners.get(id) ?? []) listener();
  };
  const move = (event: TaskEvent): boolean => {
    const known = byId.get(event.id);
    if (known === undefined || isOlder(event.status, known.status)) return false;
    const { status, startTime, stopTime, message } = event;
    if (status === known.status && startTime === undefined && stopTime === undefined) return false;
    byId.set(event.id, {
      ...known,
      status,
      startedAt: timeOf(startTime) ?? known.startedAt,
      stoppedAt: timeOf(stopTime) ?? known.stoppedAt,
      // The status tells the reason as well; an event of an older state of the same task must not take it away.
      message: known.message === "" ? (message ?? "") : known.message,
      waiting: status === known.status ? known.waiting : null,
    });
    return true;
  };
  return {
    nodes,
    progress,
    log,
    get: (id) => byId.get(id),
    subscribe(id, listener) {
      const set = listeners.get(id) ?? new Set();
      listeners.set(id, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(id);
      };
    },
    load(loaded) {
      const changed: string[] = [];
      for (const node of loaded) {
        const known = byId.get(node.id);
        if (known !== undefined && (isOlder(node.status, known.status) || isSame(node, known))) continue;
        byId.set(node.id, node);
        changed.push(node.id);
      }
      if (changed.length > 0) publish(changed);
    },
    apply(events) {
      const changed = new Set<string>();
      log.add(events.filter(({ event }) => event === "log"));
      for (const { event, data } of events) {
        if (event !== "task" && event !== "plan") continue;
        const parsed = JSON.parse(data) as TaskEvent;
        if (event === "plan" && parsed.id !== planId) continue;
        if (move(event === "plan" ? asTask(parsed) : parsed)) changed.add(parsed.id);
      }
      if (changed.size > 0) publish(changed);
      return changed.size > 0;
    },
  };
}

const isSame = (a: PlanNode, b: PlanNode): boolean => JSON.stringify(a) === JSON.stringify(b);
