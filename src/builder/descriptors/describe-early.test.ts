/** Entities are described while the rest of their archive arrives, whatever the order of its entries. */
import { Readable } from "node:stream";
import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { packArchive } from "../../platform/archive/write-archive.ts";
import { systemActor } from "../../platform/lib/actor.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import { createRenderer, type Renderer } from "../renderer.ts";
import { defaultArchiveLimits } from "./archive-limits.ts";
import { buildDescriptor, type DescriptorDeps } from "./service.ts";

const renderer = createRenderer({ workers: 1 });
afterAll(() => renderer.close());

const deps: DescriptorDeps = {
  environments: ["development"],
  namespace: "dmb",
  limits: defaultArchiveLimits,
  renderTimeoutMs: 1_000,
  renderer,
};

const build = (archive: Readable, more: Partial<DescriptorDeps> = {}) => {
  const signal = new AbortController().signal;
  const ctx = { actor: systemActor, now: () => new Date(0), log: silentLogger, signal, requestId: "test" };
  return buildDescriptor(
    { ...ctx, traceparent: "" },
    { archive, environment: "development" },
    { ...deps, ...more },
  );
};

/** More than one batch of entities: a system and skeletons, each with its parameters and a configuration. */
const files: [path: string, text: string][] = [
  [
    "system/catalog-info.yaml",
    "kind: System\nmetadata: { name: fleet.positions.0 }\nspec: { type: dataproduct, mesh: { name: Fleet } }\n",
  ],
  ...Array.from({ length: 100 }, (_, index): [string, string][] => [
    [
      `c${index}/catalog-info.yaml`,
      `%SKELETON\nkind: Component\nmetadata: { name: fleet.positions.0.c${index} }\nspec: { type: storage, system: fleet.positions.0, mesh: { name: "\${{ parameters.title }}" } }\n`,
    ],
    [`c${index}/parameters.yaml`, `parameters: { title: Part ${index} }\n`],
    [
      `c${index}/environments/development/configurations.yaml`,
      `specific: { title: "\${{ parameters.title }}" }\n`,
    ],
  ]).flat(),
];
const pack = (ordered: readonly [string, string][]): Promise<Buffer> =>
  packArchive(Object.fromEntries(ordered));

/** A renderer that tells of each batch of entities. */
const watched = (onBatch: () => void): Pick<Renderer, "run"> => ({
  run: (job, ...given) => {
    if (job === "describe") onBatch();
    return renderer.run(job, ...given);
  },
});

it("describes what is complete before the last byte has arrived", async () => {
  const archive = await pack(files);
  const begun = Promise.withResolvers<string>();
  const giveUp = setTimeout(() => begun.resolve("after the last byte"), 30_000);
  const seen: string[] = [];
  async function* arriving(): AsyncGenerator<Buffer> {
    yield archive.subarray(0, archive.length - 8);
    seen.push(await begun.promise);
    yield archive.subarray(archive.length - 8);
  }
  const { descriptor } = await build(Readable.from(arriving()), {
    renderer: watched(() => begun.resolve("before the last byte")),
  });
  clearTimeout(giveUp);
  expect(seen).toEqual(["before the last byte"]);
  expect(descriptor["components"]).toHaveLength(100);
});

it("gives the same descriptor whatever order the entries have", async () => {
  const { json } = await build(Readable.from([await pack(files)]));
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(files, { minLength: files.length }), async (shuffled) => {
      const built = await build(Readable.from([await pack(shuffled)]));
      expect(built.json.equals(json)).toBe(true);
    }),
    { numRuns: 20 },
  );
});

it("gives the same descriptor when a file of a directory comes after all others", async () => {
  const { json } = await build(Readable.from([await pack(files)]));
  const [late, others] = [files[2]!, files.filter((_, index) => index !== 2)];
  const built = await build(Readable.from([await pack([...others, late])]));
  expect(built.json.equals(json)).toBe(true);
});

it.each<[string, Partial<DescriptorDeps>]>([
  ["the types cannot be read", { readTaxonomy: () => Promise.reject(new Error("no types")) }],
  ["no thread takes a batch", { renderer: { run: () => Promise.reject(new Error("no types")) } }],
])("fails when %s", async (_case, more) => {
  await expect(build(Readable.from([await pack(files)]), more)).rejects.toThrow("no types");
});

it("begins no batch once the archive is refused", async () => {
  let batches = 0;
  const archive = await pack(files);
  const slowed: Pick<Renderer, "run"> = {
    run: async (job, ...given) => {
      if (job === "describe") batches += 1;
      await new Promise((done) => setTimeout(done, 20));
      return renderer.run(job, ...given);
    },
  };
  await expect(build(Readable.from([archive.subarray(0, -100)]), { renderer: slowed })).rejects.toMatchObject(
    { code: "BUILDER_INVALID_ARCHIVE" },
  );
  const before = batches;
  await new Promise((done) => setTimeout(done, 100));
  expect(batches).toBe(before);
});
