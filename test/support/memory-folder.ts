/**
 * Where the PostgreSQL of a test run keeps its data. A test's database is a copy of 1,300 files that lives for seconds: on ext4
 * making and removing one costs 0.65 s of CPU, most of it looking for inodes that nobody has just given back; in memory 0.045 s.
 */
import { mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "./is-alive.ts";

const inMemory = "/dev/shm";
const tmpfs = 0x01021994;
/** A whole run takes about a fifth of it. A container has 64 MB there unless it is told otherwise. */
const leastFreeBytes = 2 * 1024 ** 3;

/** A new folder; in memory where there is space. */
export async function makeDatabaseFolder(): Promise<string> {
  const parent = (await hasSpace()) ? inMemory : tmpdir();
  await removeThoseOfKilledRuns(parent);
  return mkdtemp(join(parent, `plinth-test-${process.pid}-`));
}

async function hasSpace(): Promise<boolean> {
  const found = await statfs(inMemory).catch(() => undefined);
  return found?.type === tmpfs && found.bavail * found.bsize >= leastFreeBytes;
}

/** Memory is not given back when a run is killed. A server that is still there ends when it misses its files. */
async function removeThoseOfKilledRuns(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = /^plinth-test-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}
