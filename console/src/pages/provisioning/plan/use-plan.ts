import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { useEventStream, type LiveState } from "../../../api/event-stream.ts";
import { useSignal } from "../../../api/signal.ts";
import { isOver, nodesOf, type PlanNode } from "./model/plan-nodes.ts";
import { createPlanStore, type PlanStore } from "./model/plan-store.ts";
import {
  operationOfPlanQuery,
  planLogKey,
  planStatusQuery,
  planTimingQuery,
  type Operation,
  type Timing,
} from "./queries.ts";

type PlanStatus = CoordinatorComponents["schemas"]["ExecutionPlanStatus"];

export interface LivePlan {
  planId: string;
  store: PlanStore;
  live: LiveState;
  /** Ended, as far as the page has been told. */
  isEnded: boolean;
  status: UseQueryResult<PlanStatus>;
  timing: Timing | undefined;
  operation: Operation | null | undefined;
}

/** Reasons and times are in no event, so they are read again after events: not more often than a large plan's answer is cheap. */
const refreshMs = 2000;
const refreshMsOfLarge = 8000;
const largePlan = 300;

/** A plan and everything that happens to it, for as long as the page is open. */
export const usePlan = (planId: string): LivePlan => {
  const [store] = useState(() => createPlanStore(planId));
  const status = useQuery(planStatusQuery(planId));
  const timing = useQuery(planTimingQuery(planId));
  const operation = useQuery(operationOfPlanQuery(planId));
  // Before the browser paints, so that the first row is in the frame that has the answer.
  useLayoutEffect(() => {
    if (status.data !== undefined) store.load(nodesOf(planId, status.data.dag));
  }, [store, planId, status.data]);
  const isEnded = useRoot(store, planId, status.data);
  const refresh = useRefresh(planId, store);
  const wasEnded = useRef(isEnded);
  useEffect(() => {
    if (isEnded && !wasEnded.current) refresh.ended();
    wasEnded.current = isEnded;
  }, [isEnded, refresh]);
  const isOpen = status.data !== undefined && !isOver(status.data.dag.status);
  const [follows, setFollows] = useState(false);
  if (isOpen && !follows) setFollows(true);
  const live = useEventStream({
    path: follows ? `/api/coordinator/v1/execution-plans/${planId}/events` : null,
    onEvents: (events) => {
      if (store.apply(events)) refresh.soon();
    },
    onEnd: () => refresh.ended(),
  });
  return {
    planId,
    store,
    live: follows ? live : "ended",
    isEnded,
    status,
    timing: timing.data,
    operation: operation.data,
  };
};

const useRoot = (store: PlanStore, planId: string, status: PlanStatus | undefined): boolean => {
  const root = useNode(store, planId);
  const word = root?.status ?? status?.dag.status;
  return word !== undefined && isOver(word);
};

interface Refresh {
  soon(): void;
  /** The plan has ended: its last lines are in no event that is still to come. */
  ended(): void;
}

const useRefresh = (planId: string, store: PlanStore): Refresh => {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [refresh] = useState<Refresh>(() => {
    const now = (): void => {
      clearTimeout(timer.current);
      timer.current = undefined;
      for (const { queryKey } of [
        planStatusQuery(planId),
        planTimingQuery(planId),
        operationOfPlanQuery(planId),
      ])
        void queries.invalidateQueries({ queryKey });
    };
    return {
      ended() {
        now();
        void queries.invalidateQueries({ queryKey: planLogKey(planId) });
      },
      soon() {
        const isLarge = store.nodes.get().length > largePlan;
        timer.current ??= setTimeout(now, isLarge ? refreshMsOfLarge : refreshMs);
      },
    };
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return refresh;
};

/** Renders when this node changes, whatever happens to the others. */
export const useNode = (store: PlanStore, id: string): PlanNode | undefined =>
  useSyncExternalStore(
    (listener) => store.subscribe(id, listener),
    () => store.get(id),
  );

const fewNodes = 200;
const calmMs = 250;

/** All nodes, a few times a second at most: for what is sorted, filtered or drawn as a whole. */
export const useNodes = (store: PlanStore): readonly PlanNode[] => {
  const [nodes, setNodes] = useState(store.nodes.get);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (): void => {
      timer = undefined;
      setNodes(store.nodes.get());
    };
    const listen = (): void => {
      if (store.nodes.get().length <= fewNodes) take();
      else timer ??= setTimeout(take, calmMs);
    };
    const stop = store.nodes.subscribe(listen);
    take();
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [store]);
  return nodes;
};

export const useProgress = (store: PlanStore) => useSignal(store.progress);
