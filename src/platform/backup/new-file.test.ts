/** Files that appear whole or not at all. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { giveName, writeNewFile } from "./new-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-new-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (file: string, chunks: Iterable<Buffer>): Promise<void> =>
  writeNewFile(file, { write: (target) => pipeline(Readable.from(chunks), target) });

it("has its name only when it is whole, and replaces nothing", async () => {
  const file = join(folder, "x");
  const seen: string[][] = [];
  await writeNewFile(file, {
    write: (target) => pipeline(Readable.from([Buffer.from("new")]), target),
    beforeNaming: async () => void seen.push(await readdir(folder)),
  });
  expect(seen).toEqual([[expect.stringMatching(/^x\.[0-9a-f]{12}\.part$/)]]);
  expect(await readdir(folder)).toEqual(["x"]);
  await expect(write(file, [Buffer.from("other")])).rejects.toMatchObject({
    code: "PLATFORM_BACKUP",
    message: `${file} exists already.`,
  });
  expect(await readFile(file, "utf8")).toBe("new");
});

it("leaves nothing where its source fails, and says in plain words why it can't be written", async () => {
  function* broken(): Generator<Buffer> {
    yield Buffer.from("half");
    throw new Error("the source broke");
  }
  await expect(write(join(folder, "x"), broken())).rejects.toThrow("the source broke");
  expect(await readdir(folder)).toEqual([]);
  const file = join(folder, "none", "x");
  await expect(write(file, [Buffer.from("x")])).rejects.toMatchObject({
    message: `${file} can't be written: its folder does not exist.`,
  });
});

describe("a file system without second names for files", () => {
  const refuse = () => Promise.reject(Object.assign(new Error("EPERM"), { code: "EPERM" }));

  it("takes the file by its name all the same", async () => {
    await writeFile(join(folder, "part"), "whole");
    await giveName(join(folder, "part"), join(folder, "x"), refuse);
    expect(await readdir(folder)).toEqual(["x"]);
    expect(await readFile(join(folder, "x"), "utf8")).toBe("whole");
  });

  it("replaces nothing either", async () => {
    await writeFile(join(folder, "part"), "whole");
    await writeFile(join(folder, "x"), "other");
    await expect(giveName(join(folder, "part"), join(folder, "x"), refuse)).rejects.toMatchObject({
      code: "PLATFORM_BACKUP",
    });
    expect(await readFile(join(folder, "x"), "utf8")).toBe("other");
  });
});
