/** The processes of an example: started by name, killed without warning, all ended at the end. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "..");

export interface Running {
  name: string;
  child: ChildProcess;
  /** The first JSON line that it prints with this field. */
  waitForLine: (field: string) => Promise<Record<string, unknown>>;
  isGone: () => boolean;
  /** When it was killed, in ms since the epoch. */
  killedAt: number | null;
}

export interface Processes {
  all: readonly Running[];
  start(name: string, script: string, args: string[], env?: Record<string, string>): Running;
  kill(running: Running): Promise<void>;
  /** Ends those, in order, as an operator does. */
  stop(some: readonly Running[]): Promise<void>;
  /** Ends all in the reverse order of their start; kills those that take longer than 15 s. */
  stopAll(): Promise<void>;
}

export function createProcesses(cwd: string): Processes {
  const all: Running[] = [];
  let isStopping = false;
  const stopThem = async (some: readonly Running[]): Promise<void> => {
    for (const running of some) {
      if (running.isGone()) continue;
      running.child.kill("SIGTERM");
      const timer = setTimeout(() => running.child.kill("SIGKILL"), 15_000);
      await gone(running);
      clearTimeout(timer);
    }
  };
  return {
    all,
    start(name, script, args, env) {
      if (isStopping) throw new Error("Everything is being stopped.");
      const child = spawn(process.execPath, [join(root, script), ...args], {
        cwd,
        // A process group of its own: Ctrl-C reaches only this process, which stops the others in order.
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
        ...(env === undefined ? {} : { env }),
      });
      const running = watch(name, child);
      all.push(running);
      return running;
    },
    async kill(running) {
      running.killedAt = Date.now();
      running.child.kill("SIGKILL");
      await gone(running);
    },
    stop: stopThem,
    async stopAll() {
      isStopping = true;
      await stopThem(all.toReversed());
    },
  };
}

function watch(name: string, child: ChildProcess): Running {
  const lines: Record<string, unknown>[] = [];
  const listeners = new Set<() => void>();
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  child.once("exit", notify);
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(parse(line));
      notify();
    });
  }
  const waitForLine = (field: string): Promise<Record<string, unknown>> =>
    new Promise((done, fail) => {
      const look = (): void => {
        const line = lines.find((each) => typeof each[field] === "string");
        if (line === undefined && !isGone()) return;
        listeners.delete(look);
        if (line === undefined) fail(new Error(`${name} has ended: ${errors}`));
        else done(line);
      };
      listeners.add(look);
      look();
    });
  return { name, child, waitForLine, isGone, killedAt: null };
}

async function gone({ child, isGone }: Running): Promise<void> {
  if (!isGone()) await once(child, "exit");
}

function parse(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}
