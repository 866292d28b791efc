import { useSyncExternalStore } from "react";
import { useEventStream, type LiveState } from "../../../api/event-stream.ts";
import { createSignal, type Signal } from "../../../api/signal.ts";
import { foldRun } from "./fold-run.ts";
import { emptyRun, type RunView } from "./run-view.ts";

/** Runs outside of React: they stay when one goes to another page and comes back, and are read on after the last event. */
const runs = new Map<string, Signal<RunView>>();
const maxRuns = 40;

const signalOf = (runId: string): Signal<RunView> => {
  const known = runs.get(runId);
  const signal = known ?? createSignal(emptyRun(runId));
  // The one that was used last is the last that is forgotten.
  runs.delete(runId);
  runs.set(runId, signal);
  for (const oldest of runs.keys()) {
    if (runs.size <= maxRuns) break;
    runs.delete(oldest);
  }
  return signal;
};

export interface FollowedRun {
  view: RunView;
  live: LiveState;
}

/** What is known of a run; as long as `isFollowed` and it has not ended, its stream is read. */
export const useRun = (runId: string, isFollowed: boolean, onEnd: () => void): FollowedRun => {
  const signal = signalOf(runId);
  const view = useSyncExternalStore(signal.subscribe, signal.get);
  const live = useEventStream({
    path: isFollowed && view.end === null ? `/api/assistant/v2/runs/${runId}/events` : null,
    ...(view.lastSeq > 0 && { lastEventId: String(view.lastSeq) }),
    onEvents: (events) => {
      const hadEnd = signal.get().end !== null;
      signal.set(foldRun(signal.get(), events));
      if (!hadEnd && signal.get().end !== null) onEnd();
    },
    onEnd,
  });
  return { view, live };
};
