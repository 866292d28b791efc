/** The ways in which a database goes away: over the wire to it, and of the server itself. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startEmbedded } from "../../../src/platform/db/embedded.ts";
import type { Wire } from "../wire.ts";
import type { Fault } from "./run.ts";

export const wireFaults = (wire: Wire): Fault[] => [
  { name: "cut", begin: () => wire.cut(), end: () => wire.mend() },
  { name: "stalled", begin: () => wire.stall(), end: () => wire.flow() },
];

/** Stopped as an administrator does it, and started again on the same port. */
export const restart = (dataDir: string, port: number): Fault => ({
  name: "restarted",
  begin: () => stopServer(dataDir, "SIGINT"),
  end: () => startServer(dataDir, port),
});

/** Stopped without any order; the next start recovers from the log. */
export const kill = (dataDir: string, port: number): Fault => ({
  name: "crashed",
  begin: () => stopServer(dataDir, "SIGQUIT"),
  end: () => startServer(dataDir, port),
});

/** Every process of the server stands still; connections stay, and new ones are taken by the kernel alone. */
export function freeze(dataDir: string): Fault {
  let frozen: number[] = [];
  return {
    name: "frozen",
    async begin() {
      const postmaster = await postmasterOf(dataDir);
      process.kill(postmaster, "SIGSTOP");
      frozen = [postmaster, ...(await childrenOf(postmaster))];
      for (const pid of frozen) signal(pid, "SIGSTOP");
    },
    end() {
      for (const pid of frozen) signal(pid, "SIGCONT");
    },
  };
}

async function stopServer(dataDir: string, how: "SIGINT" | "SIGQUIT"): Promise<void> {
  const postmaster = await postmasterOf(dataDir);
  process.kill(postmaster, how);
  while (isAlive(postmaster)) await new Promise((next) => setTimeout(next, 10));
}

async function startServer(dataDir: string, port: number): Promise<void> {
  await startEmbedded({ dataDir, settings: { port: String(port) } });
}

const postmasterOf = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);

const childrenOf = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ").filter(Boolean).map(Number);

/** A backend may have ended since it was listed. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
