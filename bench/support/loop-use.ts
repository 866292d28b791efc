/** How long the event loop of this process was kept busy at once. */

export interface LoopUse {
  /** Longest time between two turns by the clock: other programs of the machine count too. */
  clockMs: number;
  /** Most CPU time of the main thread between two turns. */
  cpuMs: number;
}

/** Looks as often as the loop allows, until it is stopped. */
export function watchLoop(everyMs = 2): { stop: () => LoopUse } {
  const use: LoopUse = { clockMs: 0, cpuMs: 0 };
  let cpu = process.threadCpuUsage();
  let clock = performance.now();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(cpu);
    const now = performance.now();
    use.cpuMs = Math.max(use.cpuMs, (user + system) / 1_000);
    use.clockMs = Math.max(use.clockMs, now - clock - everyMs);
    cpu = process.threadCpuUsage();
    clock = performance.now();
  };
  const timer = setInterval(look, everyMs);
  return {
    stop() {
      look();
      clearInterval(timer);
      return use;
    },
  };
}
