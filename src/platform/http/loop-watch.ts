/** Whether the event loop is behind with its own work, as opposed to not having been given a processor. */

/** Of CPU time that the process has used in one turn of the event loop; beyond it the loop is behind. */
const maxTurnMs = 10;
/** The clocks and the timers of the process. */
export interface LoopTime {
  nowMs: () => number;
  /** CPU time of this process. */
  cpuMs: () => number;
  /** Runs once this turn's input has been handled. */
  atEndOfTurn: (run: () => void) => void;
  /** Returns what cancels it. */
  after: (ms: number, run: () => void) => () => void;
}

export const processTime: LoopTime = {
  nowMs: () => performance.now(),
  cpuMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  atEndOfTurn: (run) => void setImmediate(run),
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

export interface LoopWatch {
  beginTurn: () => void;
  /** A turn that was not begun counts as on time. `goesOn` begins the next. */
  endTurn: (goesOn: boolean) => void;
  /** Whether the process had more to do in its last turn than a turn should take. */
  isBehind: () => boolean;
}

/** Its own work is told by CPU time: a turn that takes long because others have the processor is not long. */
export const createLoopWatch = (time: LoopTime): LoopWatch => {
  let cpuAtBegin: number | undefined;
  let turnMs = 0;
  return {
    beginTurn() {
      cpuAtBegin = time.cpuMs();
    },
    endTurn(goesOn) {
      const now = cpuAtBegin === undefined && !goesOn ? 0 : time.cpuMs();
      turnMs = cpuAtBegin === undefined ? 0 : now - cpuAtBegin;
      cpuAtBegin = goesOn ? now : undefined;
    },
    isBehind: () => turnMs > maxTurnMs,
  };
};
