/** Whether the event loop is behind with its own work, as opposed to not having been given a processor. */

/** Of CPU time that the process has used in one turn of the event loop; beyond it the loop is behind. */
const maxTickMs = 10;
/** The clocks and the timers of the process. */
export interface LoopTime {
  nowMs: () => number;
  /** CPU time of this process. */
  cpuMs: () => number;
  /** Runs once this turn's input has been handled. */
  atEndOfTick: (run: () => void) => void;
  /** Returns what cancels it. */
  after: (ms: number, run: () => void) => () => void;
}

export const processTime: LoopTime = {
  nowMs: () => performance.now(),
  cpuMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  atEndOfTick: (run) => void setImmediate(run),
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

export interface LoopWatch {
  beginTick: () => void;
  /** A turn that was not begun counts as on time. `goesOn` begins the next. */
  endTick: (continues: boolean) => void;
  /** Whether the process had more to do in its last turn than a turn should take. */
  isBehind: () => boolean;
}

/** Its own work is told by CPU time: a turn that takes long because others have the processor is not long. */
export const createLoopWatch = (time: LoopTime): LoopWatch => {
  let cpuAtBegin: number | undefined;
  let tickMs = 0;
  return {
    beginTick() {
      cpuAtBegin = time.cpuMs();
    },
    endTick(continues) {
      const now = cpuAtBegin === undefined && !continues ? 0 : time.cpuMs();
      tickMs = cpuAtBegin === undefined ? 0 : now - cpuAtBegin;
      cpuAtBegin = continues ? now : undefined;
    },
    isBehind: () => tickMs > maxTickMs,
  };
};
