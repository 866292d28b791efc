import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readFiles } from "../entities/read-documents.ts";
import { loadLocation, type LoadedLocation, type LoadOptions } from "./load-location.ts";
import type { LoadDeps } from "./read-entities.ts";

let folder = "";

beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "plinth-load-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Parses in this thread. */
const renderer = {
  run: async (_kind: string, files: Parameters<typeof readFiles>[0]) => readFiles(files, () => {}),
};

function load(options: Partial<LoadOptions> = {}, worker: object = renderer): Promise<LoadedLocation | null> {
  const settings = { catalogue: { readTimeoutMs: 60_000, folders: [folder] }, environments: ["development"] };
  const deps = { settings, renderer: worker } as unknown as LoadDeps;
  const { signal } = new AbortController();
  return loadLocation(deps, { type: "file", target: folder }, { signal, ...options });
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

it("bounds the number of documents, whatever they hold", async () => {
  await writeFile(join(folder, "catalog-info.yaml"), "7");
  await mkdir(join(folder, "b"));
  await writeFile(join(folder, "b", "catalog-info.yaml"), "7");
  const parsedTo = (documents: number, problems: number) => ({
    run: async (_kind: string, files: readonly unknown[]) =>
      files.map(() => ({
        documents: Array.from({ length: documents }, () => null),
        problems: Array.from({ length: problems }, () => ({ where: "a", message: "b" })),
        places: [],
      })),
  });
  for (const run of [parsedTo(100_001, 0), parsedTo(1, 100_000)]) {
    await expect(load({}, run)).rejects.toMatchObject({
      problems: [
        {
          where: "/target",
          message: "The location has more than 200000 documents, included ones at each place.",
        },
      ],
    });
  }
  expect((await load({}, parsedTo(99_000, 1_000)))?.problems).toHaveLength(100);
  await rm(join(folder, "b"), { recursive: true });
});

it("ends in the middle of a file when it is given up", async () => {
  const texts = Array.from({ length: 200 }, (_, n) => `${n}.txt`);
  for (const name of texts) await writeFile(join(folder, name), name);
  const documents = texts.map((name) => entities(1, `{ a: { $text: ./${name} } }`).replace("d0", `d${name}`));
  await writeFile(join(folder, "catalog-info.yaml"), documents.join("---\n"));
  const gaveUp = new AbortController();
  let read = 0;
  const onProgress = (): void => {
    read += 1;
    // The file itself is read and parsed by then.
    if (read === 10) gaveUp.abort();
  };
  await expect(load({ signal: gaveUp.signal, onProgress })).rejects.toThrow(/aborted/);
  expect(read).toBe(10);
});

it("reports that entities of one file have the same name for some of them only", async () => {
  const same = entities(1, "{}");
  await writeFile(join(folder, "catalog-info.yaml"), Array.from({ length: 130 }, () => same).join("---\n"));
  let parsed = 0;
  const onProgress = (): void => void (parsed += 1);
  const loaded = await load({ onProgress });
  expect([loaded?.entities.length, loaded?.problems.length]).toEqual([1, 100]);
  // The file is read and parsed, and parsed once more for the place of each problem.
  expect(parsed).toBeLessThan(110);
});
