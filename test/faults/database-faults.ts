/** The ways in which a database goes away: over the wire to it, and of the server itself. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startEmbedded } from "../../src/platform/db/start/embedded.ts";
import { isAlive } from "../support/is-alive.ts";
import type { Wire } from "./wire.ts";

export interface Fault {
  name: string;
  /** Begins the fault: from now on its target cannot be used. */
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

/** A server of our own: where its files are, and with what it is started. */
export interface OwnServer {
  dataDir: string;
  settings: Record<string, string>;
}

export const wireFaults = (wire: Wire): Fault[] => [
  { name: "cut", begin: () => wire.cut(), end: () => wire.mend() },
  { name: "stalled", begin: () => wire.stall(), end: () => wire.flow() },
];

/** Stopped as an administrator does it, and started again on the same port. */
export const restart = (server: OwnServer): Fault => ({
  name: "restarted",
  begin: () => stopServer(server, "SIGINT"),
  end: () => startServer(server),
});

/** Stopped without any order; the next start recovers from the log. */
export const kill = (server: OwnServer): Fault => ({
  name: "crashed",
  begin: () => stopServer(server, "SIGQUIT"),
  end: () => startServer(server),
});

/** Every process of the server stands still; connections stay, and new ones are taken by the kernel alone. */
export function freeze(server: OwnServer): Fault {
  let frozen: number[] = [];
  return {
    name: "frozen",
    async begin() {
      const postmaster = await postmasterOf(server);
      process.kill(postmaster, "SIGSTOP");
      frozen = [postmaster, ...(await childrenOf(postmaster))];
      for (const pid of frozen) signal(pid, "SIGSTOP");
    },
    end() {
      for (const pid of frozen) signal(pid, "SIGCONT");
    },
  };
}

/** Every process of the server at once, as when its machine is gone. Resolves when they are. */
export async function killMachine(server: OwnServer): Promise<void> {
  const postmaster = await postmasterOf(server);
  const pids = [postmaster, ...(await childrenOf(postmaster))];
  // None may notice that others are gone.
  for (const pid of pids) signal(pid, "SIGSTOP");
  for (const pid of pids) signal(pid, "SIGKILL");
  while (pids.some(isAlive)) await new Promise((next) => setTimeout(next, 10));
}

/** Resolves when it is gone. */
export async function stopServer(server: OwnServer, how: "SIGINT" | "SIGQUIT"): Promise<void> {
  const postmaster = await postmasterOf(server);
  process.kill(postmaster, how);
  while (isAlive(postmaster)) await new Promise((next) => setTimeout(next, 10));
}

export async function startServer(server: OwnServer): Promise<void> {
  await startEmbedded(server);
}

const postmasterOf = async ({ dataDir }: OwnServer): Promise<number> =>
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
