import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareDataFolder } from "./data-folder.ts";
import { makeFolder } from "./make-folder.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "plinth-folder-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

describe("a folder", () => {
  it("is made with those above it, by several at the same time", async () => {
    const path = join(home, "a/b/c");
    await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(home, "a/b"))]);
    expect(existsSync(path)).toBe(true);
  });

  // The recursive option of mkdir never ends there.
  it.runIf(existsSync("/proc/self"))("ends below /proc", async () => {
    await expect(makeFolder("/proc/plinth/data")).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("the data directory", () => {
  it("is made, and nothing is left in it", async () => {
    await prepareDataFolder(join(home, "data"));
    await prepareDataFolder(join(home, "data"));
    expect(existsSync(join(home, "data"))).toBe(true);
  });

  it.each([
    ["file", "a file is in its place"],
    ["file/data", "a file is in the place of a folder above it"],
    ["long".repeat(100), "its name is too long"],
  ])("refuses %s and says why", async (name, reason) => {
    await writeFile(join(home, "file"), "");
    await expect(prepareDataFolder(join(home, name))).rejects.toMatchObject({
      code: "PLATFORM_DATA_DIRECTORY",
      message: `The data directory ${join(home, name)} cannot be used: ${reason}.`,
      solutions: [expect.stringContaining("dataDir")],
    });
  });
});
