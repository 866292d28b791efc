/** How many files and connections to the database a process has open, as the kernel counts them. */
import { readdir, readFile, readlink } from "node:fs/promises";
import type { Instance } from "./instance.ts";
import type { Limits, IdleSample, Sample } from "./records.ts";

const everyMs = 1_000;

/** Counts again and again, every instance that is up. */
export function takeSamples(instances: readonly Instance[]): {
  samples: Sample[];
  stop: () => Promise<void>;
} {
  const samples: Sample[] = [];
  let stopped = false;
  const run = async (): Promise<void> => {
    while (!stopped) {
      for (const instance of instances) {
        const pid = instance.pid();
        const open = pid === null ? null : await countOpen(pid, instance.wire.port);
        if (pid !== null && open) samples.push({ instance: instance.name, pid, at: Date.now(), ...open });
      }
      await new Promise((next) => setTimeout(next, everyMs));
    }
  };
  const running = run();
  return {
    samples,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

const longestRestMs = 30_000;

/** Once nobody asks for anything: waits until each process has closed what it does not need, at most for half a minute. */
export async function countAtRest(instances: readonly Instance[], limits: Limits): Promise<IdleSample[]> {
  const until = performance.now() + longestRestMs;
  for (;;) {
    const counts: IdleSample[] = [];
    for (const instance of instances) {
      const pid = instance.pid();
      const open = pid === null ? null : await countOpen(pid, instance.wire.port);
      if (open) counts.push({ instance: instance.name, ...open });
    }
    const isBusy = counts.some(
      ({ connections, descriptors }) => connections > limits.connections || descriptors > limits.descriptors,
    );
    if (!isBusy || performance.now() > until) return counts;
    await new Promise((next) => setTimeout(next, 250));
  }
}

/** Null for a process that has ended. */
async function countOpen(
  pid: number,
  databasePort: number,
): Promise<Pick<Sample, "descriptors" | "connections"> | null> {
  try {
    const names = await readdir(`/proc/${pid}/fd`);
    const links = await Promise.all(
      names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "closed meanwhile")),
    );
    const sockets = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
    const inodes = inodesTo(await readFile(`/proc/${pid}/net/tcp`, "utf8"), databasePort);
    return {
      descriptors: names.length,
      connections: inodes.filter((inode) => sockets.has(inode)).length,
    };
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

/** Sockets to the port in the kernel's table, which has a line for each socket of the machine. */
function inodesTo(table: string, port: number): string[] {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table.split("\n").flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    return fields[2]?.endsWith(remote) ? (fields[9] ?? []) : [];
  });
}
