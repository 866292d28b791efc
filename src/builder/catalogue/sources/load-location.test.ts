import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readFiles } from "../entities/read-documents.ts";
import { loadLocation, type LoadedLocation } from "./load-location.ts";
import type { LoadDeps } from "./read-entities.ts";

let folder = "";

beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "plinth-load-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Parses in this thread. */
const renderer = {
  run: async (_kind: string, files: Parameters<typeof readFiles>[0]) => readFiles(files, () => {}),
};

function load(): Promise<LoadedLocation | null> {
  const settings = { catalogue: { readTimeoutMs: 60_000, folders: [folder] }, environments: ["development"] };
  const deps = { settings, renderer } as unknown as LoadDeps;
  const { signal } = new AbortController();
  return loadLocation(deps, { type: "file", target: folder }, { signal });
}

const entities = (count: number, spec: string): string =>
  Array.from(
    { length: count },
    (_, number) => `apiVersion: v1\nkind: Domain\nmetadata: { name: d${number} }\nspec: ${spec}\n`,
  ).join("---\n");

it("counts an included file each time it is included", async () => {
  await writeFile(join(folder, "big.txt"), "x".repeat(4 * 1024 * 1024));
  await writeFile(join(folder, "catalog-info.yaml"), entities(50, "{ a: { $text: ./big.txt } }"));
  const loaded = await load();
  expect(loaded?.problems).toContainEqual({
    where: "/target",
    message: "The files of the location have more than 104857600 bytes.",
  });
  expect(loaded?.entities.length).toBeLessThan(25);
});

it("counts what aliases of all documents together stand for", async () => {
  const text = "y".repeat(3_000);
  const spec = `{ a: [&a ${text}${", *a".repeat(900)}] }`;
  await writeFile(join(folder, "catalog-info.yaml"), entities(110, spec));
  await expect(load()).rejects.toMatchObject({
    problems: [
      {
        where: "/target",
        message: "The documents of the location stand for more than 268435456 characters.",
      },
    ],
  });
});
