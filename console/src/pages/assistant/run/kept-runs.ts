import { createSignal, type Signal } from "../../../api/signal.ts";
import { emptyRun, type RunView } from "./run-view.ts";

/**
 * Runs outside of React: they stay when one goes to another page and comes back, and are read on after the last event. One that is
 * shown is never forgotten, because its stream goes on from what its signal has; of the others the last `maxIdle` are kept.
 */
export const keepRuns = (maxIdle: number): ((runId: string) => Signal<RunView>) => {
  const runs = new Map<string, Signal<RunView>>();
  /** Those that nothing shows, in the order in which they were shown last. */
  const idle = new Set<string>();
  const rest = (runId: string): void => {
    idle.add(runId);
    for (const oldest of idle) {
      if (idle.size <= maxIdle) break;
      idle.delete(oldest);
      runs.delete(oldest);
    }
  };
  const create = (runId: string): Signal<RunView> => {
    const { get, set, subscribe } = createSignal(emptyRun(runId));
    let readers = 0;
    const signal: Signal<RunView> = {
      get,
      set,
      subscribe(listener) {
        // It may have been forgotten after it was rendered and before it was subscribed to.
        runs.set(runId, signal);
        idle.delete(runId);
        readers += 1;
        const stop = subscribe(listener);
        return () => {
          stop();
          readers -= 1;
          if (readers === 0) rest(runId);
        };
      },
    };
    runs.set(runId, signal);
    return signal;
  };
  return (runId) => runs.get(runId) ?? create(runId);
};
