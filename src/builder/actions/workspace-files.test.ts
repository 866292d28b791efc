import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { actionBench, readFiles, writeFiles, type Bench } from "./testdata.ts";
import { fsDelete, fsReaddir, fsRename } from "./workspace-files.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await actionBench();
  await writeFiles(bench.workspace, { "a.txt": "a", "folder/b.txt": "b", "folder/deep/c.md": "c" });
});
afterEach(() => bench.close());

it("fs:delete removes files, folders and what matches, and minds nothing that is gone", async () => {
  await bench.run(fsDelete, { files: ["a.txt", "folder/deep", "never"] });
  expect(await readFiles(bench.workspace)).toEqual({ "folder/b.txt": "b" });
  await bench.run(fsDelete, { files: ["**/*.txt"] });
  expect(await readFiles(bench.workspace)).toEqual({ "folder/": "" });
});

it("fs:delete of the workspace leaves the workspace", async () => {
  await bench.run(fsDelete, { files: ["."] });
  expect(await readFiles(bench.workspace)).toEqual({});
});

it("fs:delete gives up a pattern that takes too long, and deletes nothing for it", async () => {
  const deep = Array.from({ length: 60 }, () => "a".repeat(14)).join("/");
  const files = Array.from({ length: 500 }, (_, index) => [`${deep}/f${index}`, ""]);
  await writeFiles(bench.workspace, Object.fromEntries(files));
  const pattern = `{,}{,}{,}{,}{,}{,}${"*a*a*a*a*a*a*a*a*b/".repeat(51)}`.slice(0, 1_000);
  await expect(bench.run(fsDelete, { files: [pattern] })).rejects.toMatchObject({
    code: "BUILDER_ACTION_INPUT",
    message: expect.stringMatching(/could not be matched with 503 files: it took longer than/),
  });
  expect(await readFiles(bench.workspace)).toMatchObject({ "a.txt": "a", [`${deep}/f0`]: "" });
});

it("fs:delete does not follow a link out", async () => {
  await writeFiles(join(bench.folder, "outside"), { retained: "x" });
  await symlink(join(bench.folder, "outside"), join(bench.workspace, "link"));
  await expect(bench.run(fsDelete, { files: ["link/kept"] })).rejects.toThrow("symbolic link");
  expect(await readFiles(join(bench.folder, "outside"))).toEqual({ retained: "x" });
});

it("fs:rename moves, makes folders and replaces only when told", async () => {
  await bench.run(fsRename, { files: [{ from: "a.txt", to: "new/deep/a.txt" }] });
  expect(await readFiles(bench.workspace)).toMatchObject({ "new/deep/a.txt": "a" });
  const move = { from: "folder/b.txt", to: "new/deep/a.txt" };
  await expect(bench.run(fsRename, { files: [move] })).rejects.toThrow("is there already");
  await bench.run(fsRename, { files: [{ ...move, overwrite: true }] });
  expect(await readFiles(bench.workspace)).toEqual({ "folder/deep/c.md": "c", "new/deep/a.txt": "b" });
});

it.each([
  [{ from: "never", to: "x" }, "There is no"],
  [{ from: "folder", to: "folder/deep/x" }, "in itself"],
  [{ from: "a.txt", to: "../a.txt" }, "climbs"],
  [{ from: ".", to: "x" }, "in itself"],
])("fs:rename refuses %j", async (move, why) => {
  await expect(bench.run(fsRename, { files: [move] })).rejects.toMatchObject({
    code: "BUILDER_ACTION_INPUT",
    message: expect.stringContaining(why),
  });
});

it("fs:readdir lists one level or all", async () => {
  const { outputs } = await bench.run(fsReaddir, { paths: ["."] });
  expect(outputs).toEqual({
    files: [{ name: "a.txt", path: "a.txt", fullPath: "a.txt" }],
    folders: [{ name: "folder", path: "folder", fullPath: "folder" }],
  });
  const deep = await bench.run(fsReaddir, { paths: ["folder"], recursive: true });
  expect((deep.outputs["files"] as { path: string }[]).map(({ path }) => path)).toEqual([
    "folder/b.txt",
    "folder/deep/c.md",
  ]);
  await expect(bench.run(fsReaddir, { paths: ["never"] })).rejects.toThrow("There is no folder");
});
