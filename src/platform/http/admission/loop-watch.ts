/** Whether the event loop is behind with its own work, as opposed to not having been given a processor. */

/** CPU time of one tick of the event loop beyond which the loop is behind. */
const maxTickMs = 10;
/** The clocks and the timers of the process. */
export interface LoopTime {
  nowMs: () => number;
  /** CPU time of this process. */
  cpuMs: () => number;
  /** Runs once the input of this tick has been handled. */
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
  /** A tick that was not begun counts as on time. `continues` begins the next. */
  endTick: (continues: boolean) => void;
  /** Whether the last tick took more CPU time than a tick should. */
  isBehind: () => boolean;
}

/**
 * Measures CPU time, not elapsed time: a tick is not long because other processes had the processor. A tick cannot have had
 * more of it than it lasted, so the CPU clock, which costs more than anything else here, is read only after a tick that
 * lasted long; of several such ticks the first counts as on time.
 */
export const createLoopWatch = (time: LoopTime): LoopWatch => {
  let begunAt: number | undefined;
  let cpuAtBegin: number | undefined;
  let lastedLong = false;
  let tickMs = 0;
  const begin = (nowMs: number): void => {
    begunAt = nowMs;
    cpuAtBegin = lastedLong ? time.cpuMs() : undefined;
  };
  return {
    beginTick: () => begin(time.nowMs()),
    endTick(continues) {
      const nowMs = begunAt === undefined && !continues ? 0 : time.nowMs();
      lastedLong = begunAt !== undefined && nowMs - begunAt > maxTickMs;
      tickMs = lastedLong && cpuAtBegin !== undefined ? time.cpuMs() - cpuAtBegin : 0;
      begunAt = undefined;
      if (continues) begin(nowMs);
    },
    isBehind: () => tickMs > maxTickMs,
  };
};
