import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inWorkspace } from "./tree.ts";

let workspace = "";

beforeAll(async () => {
  workspace = await realpath(await mkdtemp(join(tmpdir(), "plinth-path-")));
  await mkdir(join(workspace, "a"));
  await writeFile(join(workspace, "a", "file"), "");
  await symlink("/etc", join(workspace, "out"));
  await symlink("a", join(workspace, "inner"));
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

it.each([
  ["", ""],
  [".", ""],
  ["./a/", "a"],
  ["a/file", "a/file"],
  ["a//./file", "a/file"],
  ["new/folder/file", "new/folder/file"],
  ["..a/b..", "..a/b.."],
])("%j is %j in the workspace", (path, expected) => {
  expect(inWorkspace(workspace, path)).toBe(join(workspace, expected));
});

it.each([
  ["..", "climbs"],
  ["a/../../b", "climbs"],
  ["a/..", "climbs"],
  ["/etc/passwd", "absolute"],
  ["C:\\x", "absolute"],
  ["a\\..\\..\\b", "backslash"],
  ["a\u0000b", "control"],
  ["out/passwd", "symbolic link"],
  ["out", "symbolic link"],
  ["inner/file", "symbolic link"],
  ["x/".repeat(65), "deeper"],
  ["x".repeat(1_025), "longer"],
  [`a/${"ü".repeat(128)}`, "more than 255 bytes"],
])("%j is refused", (path, why) => {
  const refusal = { code: "BUILDER_ACTION_INPUT", message: expect.stringContaining(why) };
  expect(() => inWorkspace(workspace, path)).toThrow(expect.objectContaining(refusal));
});
