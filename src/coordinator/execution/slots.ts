/**
 * Limits on how much runs at once: in all and per adapter, fair between units. A waiter is served in the
 * round of its unit, so a unit with a thousand tasks delays another's first by one task, not by a thousand.
 */
export interface Slots {
  /** Resolves with the function that gives the slot back; rejects with the signal's reason. */
  acquire(want: Want, signal: AbortSignal): Promise<() => void>;
  running(): number;
}

export interface Want {
  unit: string;
  adapter: string;
}

export interface SlotLimits {
  total: number;
  perAdapter: number;
}

interface Waiter {
  adapter: string;
  admit: () => void;
}

export function createSlots(limits: SlotLimits): Slots {
  const perAdapter = new Map<string, number>();
  // Insertion order is the round: the unit that was served goes to the end.
  const queues = new Map<string, Waiter[]>();
  let total = 0;

  const isFree = (adapter: string): boolean =>
    total < limits.total && (perAdapter.get(adapter) ?? 0) < limits.perAdapter;
  const take = (adapter: string): (() => void) => {
    total++;
    perAdapter.set(adapter, (perAdapter.get(adapter) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      total--;
      const left = (perAdapter.get(adapter) ?? 1) - 1;
      if (left > 0) perAdapter.set(adapter, left);
      else perAdapter.delete(adapter);
      serve();
    };
  };
  const serve = (): void => {
    let served = true;
    while (served && total < limits.total) {
      served = false;
      for (const [unit, waiters] of queues) {
        const index = waiters.findIndex((waiter) => isFree(waiter.adapter));
        if (index < 0) continue;
        const [waiter] = waiters.splice(index, 1);
        queues.delete(unit);
        if (waiters.length > 0) queues.set(unit, waiters);
        waiter?.admit();
        served = true;
        break;
      }
    }
  };

  return {
    acquire({ unit, adapter }, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (queues.size === 0 && isFree(adapter)) return Promise.resolve(take(adapter));
      return new Promise((done, fail) => {
        const leave = (): void => {
          const waiters = queues.get(unit);
          const index = waiters?.indexOf(waiter) ?? -1;
          if (index >= 0) waiters?.splice(index, 1);
          if (waiters?.length === 0) queues.delete(unit);
          fail(signal.reason as Error);
        };
        const waiter: Waiter = {
          adapter,
          admit() {
            signal.removeEventListener("abort", leave);
            done(take(adapter));
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        const waiters = queues.get(unit);
        if (waiters) waiters.push(waiter);
        else queues.set(unit, [waiter]);
        serve();
      });
    },
    running: () => total,
  };
}
