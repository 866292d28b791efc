/** A server may start while its console is built anew. */
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readPageFolder } from "./read-folder.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-pages-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A build whose page and files are all named after it, put in the place of the one before. */
async function build(name: string): Promise<void> {
  const made = join(folder, "new");
  await mkdir(join(made, "assets"), { recursive: true });
  await writeFile(join(made, "index.html"), name);
  for (let file = 0; file < 20; file += 1) await writeFile(join(made, "assets", `${name}-${file}.js`), name);
  await rename(join(folder, "dist"), join(folder, "old")).catch(() => undefined);
  await rename(made, join(folder, "dist"));
  await rm(join(folder, "old"), { recursive: true, force: true });
}

it("reads one build, whole, while others take its place", async () => {
  await build("build0");
  let isOver = false;
  let reads = 0;
  let hasFailed = false;
  const builds = (async () => {
    for (let round = 1; round <= 20; round += 1) {
      await build(`build${round}`);
      // The next build waits for a read: on a slow machine a read would otherwise meet one build after the other, and give up.
      const before = reads;
      while (reads === before && !hasFailed) await pause(5);
    }
  })().finally(() => (isOver = true));
  const mixed: string[] = [];
  while (!isOver) {
    const found = await readPageFolder(join(folder, "dist")).catch((error: Error) => {
      hasFailed = true;
      throw error;
    });
    reads += 1;
    // Between the two renames there is none for a moment.
    if (found === null) continue;
    const files = [...found.files.keys()];
    const own = files.filter((path) => path.startsWith(`/assets/${found.index}-`));
    if (own.length !== 20 || files.length !== 20) mixed.push(`${found.index}: ${files.join()}`);
  }
  await builds;
  expect(mixed).toEqual([]);
});
