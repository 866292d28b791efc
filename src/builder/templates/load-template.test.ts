import { expect, it } from "vitest";
import type { Entity } from "../entity.ts";
import type { Renderer } from "../renderer.ts";
import { createTemplateLoader, cacheLimits } from "./load-template.ts";

/** A loader, and the names of the templates that it has parsed and checked. */
function watchedLoader() {
  const checked: string[] = [];
  const run = async (_kind: string, spec: { output: { name: string } }) => {
    checked.push(spec.output.name);
    return [];
  };
  const renderer = { run } as unknown as Renderer;
  return {
    checked,
    ...createTemplateLoader({ renderer, renderTimeoutMs: 700, actions: { has: () => true } }),
  };
}

const templateOf = (name: string, page: Record<string, unknown> = {}, etag = "1"): Entity => ({
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name, etag },
  spec: { parameters: [page], steps: [], output: { name } },
});

/** A form that takes about as many bytes of heap. */
const pageOf = (bytes: number) => ({ description: "x".repeat(bytes / 4) });

it("parses a template of the catalogue once for each version", async () => {
  const loader = watchedLoader();
  await loader.load(templateOf("a"));
  await loader.loadForm(templateOf("a"));
  await loader.load(templateOf("a", {}, "2"));
  expect(loader.checked).toEqual(["a", "a"]);
});

it("keeps nothing of a template that is only tried, and does not forget another one for it", async () => {
  const loader = watchedLoader();
  await loader.load(templateOf("a"));
  for (let time = 0; time < 3; time += 1) await loader.read(templateOf("a", {}, "2"));
  expect(loader.checked).toHaveLength(4);
  await loader.load(templateOf("a"));
  expect(loader.checked).toHaveLength(4);
});

it("keeps no template that takes more memory than one may", async () => {
  const loader = watchedLoader();
  const large = templateOf("large", { lists: Array.from({ length: 100_000 }, () => []) });
  await loader.load(large);
  await loader.load(large);
  expect(loader.checked).toEqual(["large", "large"]);
});

it("forgets the oldest templates when all together take too much memory", async () => {
  const loader = watchedLoader();
  const page = pageOf(1024 * 1024);
  const names = Array.from({ length: cacheLimits.bytes / (1024 * 1024) }, (_, number) => `t${number}`);
  for (const name of names) await loader.load(templateOf(name, page));
  loader.checked.length = 0;
  await loader.load(templateOf(names.at(-1)!, page));
  expect(loader.checked).toEqual([]);
  await loader.load(templateOf(names[0]!, page));
  expect(loader.checked).toEqual([names[0]]);
});

it.each([
  ["parameters", { parameters: { enum: "x".repeat(1024 * 1024) } }],
  ["secrets", { parameters: {}, secrets: { schema: { enum: "x".repeat(1024 * 1024) } } }],
  ["pages", { parameters: Array.from({ length: 201 }, () => ({})) }],
  ["pages that are none", { parameters: Array.from({ length: 100_000 }, () => 1) }],
])("refuses a form with too many %s", async (_what, form) => {
  const loader = watchedLoader();
  const entity = { ...templateOf("a"), spec: { ...form, steps: [] } };
  const problems = await loader.check(entity);
  expect(problems).toEqual([
    expect.objectContaining({ where: "/spec/parameters", message: expect.stringContaining("template") }),
  ]);
});
