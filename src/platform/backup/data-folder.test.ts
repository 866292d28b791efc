/** Which files of a data directory come into a backup, while others work with it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openFolderRestore, readFolder } from "./data-folder.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plinth-data-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function write(...paths: string[]): Promise<void> {
  for (const path of paths) {
    const file = join(dataDir, "builder/repositories", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, path);
  }
}

async function read(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of readFolder(dataDir))
    names.push(name.slice("files/builder/repositories/".length));
  return names;
}

it("has the repositories, their objects last, without locks and what is just being made", async () => {
  await write("a.git/HEAD", "a.git/objects/01/23", "a.git/refs/heads/main", "b.git/HEAD");
  await write("a.git/refs/heads/main.lock", ".making/repository-x/HEAD", "lost+found/#12");
  const names = await read();
  expect(names.toSorted()).toEqual([
    "a.git/HEAD",
    "a.git/objects/01/23",
    "a.git/refs/heads/main",
    "b.git/HEAD",
  ]);
  expect(names.at(-1)).toBe("a.git/objects/01/23");
});

it("can be restored where there is no repository, whatever the file system has there", async () => {
  const look = () => openFolderRestore(dataDir, { backup: "b", isStored: false });
  await write("lost+found/#12");
  expect((await look()).isOpen).toBe(true);
  await write("a.git/HEAD");
  await expect(look()).rejects.toThrow("has repositories of an installation");
});

it("has nothing where there are no repositories", async () => {
  expect(await read()).toEqual([]);
});

it("has all of them while templates publish others", async () => {
  const published = Array.from({ length: 20 }, (_, n) => `a.git/objects/${n}/x`);
  await write("a.git/HEAD", "a.git/refs/heads/main", ...published);
  const state = { isOver: false };
  const publish = async (id: number): Promise<void> => {
    for (let n = 0; !state.isOver; n += 1) {
      const folder = `.making/repository-${id}-${n}`;
      await write(`${folder}/HEAD`, `${folder}/objects/01/23`, `${folder}/refs/heads/main`);
      await rm(join(dataDir, "builder/repositories", folder), { recursive: true });
    }
  };
  const publishing = [1, 2, 3].map(publish);
  const counts = new Set<number>();
  for (let n = 0; n < 30; n += 1) counts.add((await read()).length);
  state.isOver = true;
  await Promise.all(publishing);
  expect([...counts]).toEqual([published.length + 2]);
});
