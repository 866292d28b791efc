/** The CPU time and memory of a process, from /proc. */
import { readdir, readFile } from "node:fs/promises";

/** Linux counts hundredths of a second, on every machine. */
const tickMs = 10;

interface Use {
  parent: number;
  cpuMs: number;
  /** CPU time of its children that have ended. */
  childrenMs: number;
}

async function useOf(pid: number | string): Promise<Use> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [own, system, children, childSystem] = fields.slice(11, 15).map(Number);
  return {
    parent: Number(fields[1]),
    cpuMs: ((own ?? 0) + (system ?? 0)) * tickMs,
    childrenMs: ((children ?? 0) + (childSystem ?? 0)) * tickMs,
  };
}

/** CPU time of a process so far, in ms. */
export const cpuOf = async (pid: number): Promise<number> => (await useOf(pid)).cpuMs;

export interface Measured<Result> {
  result: Result;
  /** CPU time of this process, all threads. */
  cpuMs: number;
}

/** Runs the work, and measures the CPU time of this process while it runs. */
export async function withCpu<Result>(work: () => Promise<Result>): Promise<Measured<Result>> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpuMs: (user + system) / 1_000 };
}

/** CPU time of a process and of all its children, running and ended. */
export async function cpuOfFamily(pid: number): Promise<number> {
  const { cpuMs, childrenMs } = await useOf(pid);
  let total = cpuMs + childrenMs;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const { parent, cpuMs: own } = await useOf(name);
    if (parent === pid) total += own;
  }
  return total;
}

/** Resident memory in MB. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
