import { useSyncExternalStore } from "react";
import { useEventStream, type LiveState } from "../../../api/event-stream.ts";
import { foldRun } from "./fold-run.ts";
import { keepRuns } from "./kept-runs.ts";
import type { RunView } from "./run-view.ts";

const maxIdleRuns = 40;
const runOf = keepRuns(maxIdleRuns);

export interface FollowedRun {
  view: RunView;
  live: LiveState;
}

/** What is known of a run; as long as `isFollowed` and it has not ended, its stream is read. */
export const useRun = (runId: string, isFollowed: boolean, onEnd: () => void): FollowedRun => {
  const signal = runOf(runId);
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
