import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorkspace, type TaskWorkspace } from "./workspace.ts";

let root = "";
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), "plinth-workspace-"))));
afterAll(() => rm(root, { recursive: true, force: true }));

const limits = { workspaceBytes: 1_000_000, workspaceFiles: 100 };
const options = { targetPath: "", replace: true, signal: new AbortController().signal };
const fileOf = (path: string) => ({
  files: [{ path, content: Buffer.from(path), isExecutable: false }],
  folders: [],
});
const pack = async (workspace: TaskWorkspace): Promise<Buffer | null> =>
  (await workspace.snapshot(() => {}))?.archive() ?? null;

it("packs the deletion of its last file, whether it was packed in memory or on the disk before", async () => {
  for (const place of ["memory", "disk"]) {
    const workspace = createWorkspace(join(root, place), limits);
    await workspace.write(fileOf("a.txt"), options);
    if (place === "disk") await workspace.folder();
    expect(await pack(workspace)).not.toBeNull();
    await rm(join(await workspace.folder(), "a.txt"));
    const archive = await pack(workspace);
    expect(archive).not.toBeNull();
    expect(await pack(workspace)).toBeNull();
    const other = createWorkspace(join(root, `${place}-restored`), limits);
    await other.restore(archive!);
    expect(await readdir(await other.folder())).toEqual([]);
  }
});

it("packs nothing where nothing was written, and nothing again that only moved to the disk", async () => {
  const empty = createWorkspace(join(root, "empty"), limits);
  expect(await pack(empty)).toBeNull();
  await empty.folder();
  expect(await pack(empty)).toBeNull();
  const moved = createWorkspace(join(root, "moved"), limits);
  await moved.write(fileOf("a.txt"), options);
  expect(await pack(moved)).not.toBeNull();
  await moved.folder();
  expect(await pack(moved)).toBeNull();
  const changed = createWorkspace(join(root, "changed"), limits);
  await changed.write(fileOf("a.txt"), options);
  await pack(changed);
  await changed.write(fileOf("b.txt"), options);
  await changed.folder();
  expect(await pack(changed)).not.toBeNull();
});
