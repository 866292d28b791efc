/**
 * A clock that jumps from one timer to the next, in place of the runtime's timers: the code under simulation calls
 * setTimeout as always. Timers belong to the machine in whose name they were set, so that a machine that is dead
 * never acts again, and one that is stopped acts when it wakes.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** A process of the simulation. */
export interface Machine {
  name: string;
  isDead: boolean;
  /** Nothing of it runs before this moment. */
  stoppedUntil: number;
}

interface Timer {
  at: number;
  order: number;
  owner: Machine | undefined;
  run: () => void;
  isCleared: boolean;
  unref(): Timer;
  ref(): Timer;
}

export interface VirtualClock {
  nowMs(): number;
  /** Runs later, in the name of the machine if one is given. */
  after(ms: number, run: () => void, owner?: Machine): void;
  /** Runs something now in the name of a machine; what it sets going stays in that name. */
  as<T>(owner: Machine, run: () => T): T;
  /** Goes from timer to timer until nothing is left, the time is up, or the condition holds. */
  runUntil(endMs: number, isOver: () => boolean): Promise<void>;
}

/** The simulated moment 0. */
export const epochMs = Date.UTC(2030, 0, 1);

/** Every promise that can settle by itself has settled once the runtime has come round. */
const settled = (): Promise<void> => new Promise((next) => realSetImmediate(next));
const realSetImmediate = globalThis.setImmediate;

/** One for all simulations of the process: the runtime carries each such storage along for ever, and slows with them. */
const owners = new AsyncLocalStorage<Machine>();

/** Gives the runtime's timers and its stopwatch to the clock while `work` runs. */
export async function withVirtualClock<T>(work: (clock: VirtualClock) => Promise<T>): Promise<T> {
  const timers: Timer[] = [];
  let now = 0;
  let count = 0;

  const add = (timer: Timer): void => {
    let low = 0;
    let high = timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      // The next one stands last.
      if (isBefore(timers[middle]!, timer)) high = middle;
      else low = middle + 1;
    }
    timers.splice(low, 0, timer);
  };
  const schedule = (ms: number, run: () => void, owner: Machine | undefined): Timer => {
    const timer: Timer = {
      at: now + Math.max(0, Number.isFinite(ms) ? ms : 0),
      order: count++,
      owner,
      run,
      isCleared: false,
      unref: () => timer,
      ref: () => timer,
    };
    add(timer);
    return timer;
  };
  const fire = (timer: Timer): void => {
    const { owner } = timer;
    if (timer.isCleared || owner?.isDead) return;
    if (owner && owner.stoppedUntil > now) return add(Object.assign(timer, { at: owner.stoppedUntil }));
    if (owner) owners.run(owner, timer.run);
    else owners.exit(timer.run);
  };
  const set = (run: () => void, ms = 0): Timer => schedule(ms, run, owners.getStore());
  const clear = (timer: Timer | undefined): void => {
    if (timer) timer.isCleared = true;
  };
  const clock: VirtualClock = {
    nowMs: () => now,
    after: (ms, run, owner) => void schedule(ms, run, owner),
    as: (owner, run) => owners.run(owner, run),
    async runUntil(endMs, isOver) {
      await settled();
      while (!isOver()) {
        const next = timers.pop();
        if (!next || next.at > endMs) break;
        now = Math.max(now, next.at);
        fire(next);
        await settled();
      }
    },
  };
  const { setTimeout, clearTimeout, setImmediate } = globalThis;
  const stopwatch = performance.now.bind(performance);
  Object.assign(globalThis, {
    setTimeout: set,
    clearTimeout: clear,
    setImmediate: (run: () => void) => set(run, 0),
  });
  performance.now = () => now;
  try {
    return await work(clock);
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout, setImmediate });
    performance.now = stopwatch;
  }
}

const isBefore = (one: Timer, other: Timer): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
