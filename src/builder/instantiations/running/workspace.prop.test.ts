/** Files that are held in memory are the files that the disk would have. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { Failure } from "../../../platform/errors/failure.ts";
import { readFiles } from "../../actions/testdata.ts";
import { createWorkspace, type TaskWorkspace } from "./workspace.ts";

const limits = { workspaceBytes: 100_000, workspaceFiles: 50 };
const signal = new AbortController().signal;
const root = await mkdtemp(join(tmpdir(), "plinth-workspaces-"));
afterAll(() => rm(root, { recursive: true, force: true }));
let count = 0;
const fresh = (): TaskWorkspace => createWorkspace(join(root, String((count += 1))), limits);

const pack = async (workspace: TaskWorkspace): Promise<Buffer | null> =>
  (await workspace.snapshot(() => {}))?.archive() ?? null;

const path = fc.array(fc.constantFrom("a", "b", "c.txt", ".git", "..", "."), { minLength: 1, maxLength: 3 });
const tree = fc.record({
  folders: fc.array(
    path.map((parts) => parts.join("/")),
    { maxLength: 2 },
  ),
  files: fc.array(
    fc.record({
      path: path.map((parts) => parts.join("/")),
      content: fc.string({ maxLength: 5 }).map((text) => Buffer.from(text)),
      isExecutable: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
});
const write = fc.record({
  tree,
  targetPath: fc.constantFrom("", "a", "./b/c.txt", "../x"),
  replace: fc.boolean(),
});

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error instanceof Failure ? `refused: ${error.message}` : error));

it("writes do the same in memory, on the disk, and where they move from one to the other", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 5 }), fc.nat(4), async (writes, movesAt) => {
      const [held, onDisk, moving] = [fresh(), fresh(), fresh()];
      await onDisk.folder();
      for (const [index, { tree: files, ...options }] of writes.entries()) {
        if (index === movesAt) await moving.folder();
        const outcomes = [held, onDisk, moving].map((each) =>
          outcome(each.write(files, { ...options, signal })),
        );
        const [first, ...others] = await Promise.all(outcomes);
        for (const other of others) expect(other).toEqual(first);
        if (typeof first !== "number") break;
      }
      const contents = [];
      for (const each of [held, onDisk, moving]) contents.push(await readFiles(await each.folder()));
      expect(contents[0]).toEqual(contents[1]);
      expect(contents[2]).toEqual(contents[1]);
    }),
    { numRuns: 300 },
  );
});

it("what is packed from memory is restored as the same files, and packed again only when it has changed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 4 }), async (writes) => {
      const held = fresh();
      for (const { tree: files, ...options } of writes)
        await outcome(held.write(files, { ...options, signal }));
      const archive = await pack(held);
      if (archive === null) return;
      expect(await pack(held)).toBeNull();
      const restored = fresh();
      await restored.restore(archive);
      expect(await pack(restored)).toBeNull();
      expect(await readFiles(await restored.folder())).toEqual(await readFiles(await held.folder()));
    }),
    { numRuns: 80 },
  );
});

it("a snapshot has the files of when it was taken, whatever is written before its archive is asked for", async () => {
  const some = fc.array(write, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(some, some, fc.boolean(), async (before, after, moves) => {
      const [changed, expected] = [fresh(), fresh()];
      const writeAll = async (workspace: TaskWorkspace, writes: typeof before): Promise<void> => {
        for (const { tree: files, ...options } of writes)
          await outcome(workspace.write(files, { ...options, signal }));
      };
      await writeAll(changed, before);
      await writeAll(expected, before);
      const snapshot = await changed.snapshot(() => {});
      if (moves) await changed.folder();
      await writeAll(changed, after);
      if (snapshot === null) return;
      const restored = fresh();
      await restored.restore(await snapshot.archive());
      expect(await readFiles(await restored.folder())).toEqual(await readFiles(await expected.folder()));
    }),
    { numRuns: 80 },
  );
});

const file = (name: string, bytes: number) => ({
  path: name,
  content: Buffer.alloc(bytes),
  isExecutable: false,
});
const options = { targetPath: "", replace: false, signal };

it.each([
  ["many files", Array.from({ length: 60 }, (_, n) => file(`f${n}`, 1)), "more than 50 files"],
  ["many bytes", [file("a", 60_000), file("b", 60_000)], "more than 100000 bytes"],
])("too %s are refused when they are packed", async (_, files, why) => {
  for (const isOnDisk of [false, true]) {
    const workspace = fresh();
    if (isOnDisk) await workspace.folder();
    await workspace.write({ files, folders: [] }, options);
    await expect(pack(workspace)).rejects.toThrow(why);
  }
});

it("what is more than memory is for goes to the disk, and all is gone in the end", async () => {
  const workspace = createWorkspace(join(root, "large"), { workspaceBytes: 2 ** 30, workspaceFiles: 10_000 });
  await workspace.write({ files: [file("small", 10)], folders: [] }, options);
  await workspace.write({ files: [file("big", 5 * 1024 * 1024)], folders: ["empty"] }, options);
  expect(Object.keys(await readFiles(join(root, "large")))).toEqual(["big", "empty/", "small"]);
  await workspace.remove();
  await expect(readFiles(join(root, "large"))).rejects.toThrow("ENOENT");
  await expect(workspace.folder()).rejects.toThrow("has ended");
  await expect(workspace.write({ files: [], folders: [] }, options)).rejects.toThrow("has ended");
});
