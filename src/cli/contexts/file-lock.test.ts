/** The lock between commands: one at a time, and what killed ones leave behind is broken. */
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockNow, withLock } from "./file-lock.ts";

let folder = "";
let path = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-lock-"));
  path = join(folder, "below", "x.lock");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const signal = new AbortController().signal;
const entries = (): Promise<string[]> => readdir(join(folder, "below"));

test("one works at a time, and nothing is left", async () => {
  let atWork = 0;
  const most: number[] = [];
  await Promise.all(
    Array.from({ length: 20 }, () =>
      withLock(path, signal, async () => {
        atWork += 1;
        most.push(atWork);
        await wait(1);
        atWork -= 1;
      }),
    ),
  );
  expect([most.length, Math.max(...most)]).toEqual([20, 1]);
  expect(await entries()).toEqual([]);
});

test("work that fails gives it back", async () => {
  await expect(withLock(path, signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  lockNow(path)();
});

test("whoever waits gives up with the command", async () => {
  const release = lockNow(path);
  const stop = new AbortController();
  const waiting = withLock(path, stop.signal, async () => undefined);
  stop.abort();
  await expect(waiting).rejects.toThrow("aborted");
  release();
});

const left = (content: object): Promise<void> => writeFile(path, JSON.stringify(content));

test("what a process of this machine has left is broken at once", async () => {
  lockNow(path)();
  // No process has this number: it is above the highest that systems give.
  await left({ pid: 2 ** 30, host: hostname(), id: "x" });
  await withLock(path, signal, async () => undefined);
  expect(await entries()).toEqual([]);
});

test("what another machine has left is broken when it is old, and not before", async () => {
  lockNow(path)();
  await left({ pid: 2 ** 30, host: "elsewhere", id: "x" });
  const stop = new AbortController();
  const waiting = withLock(path, stop.signal, async () => "done");
  await wait(100);
  expect(await entries()).toEqual(["x.lock"]);
  const long = new Date(Date.now() - 3_600_000);
  await utimes(path, long, long);
  expect(await waiting).toBe("done");
});
