import { afterAll, expect, it } from "vitest";
import { parseYaml } from "../catalogue/entities/yaml.ts";
import type { Tree, TreeFile } from "../git/tree.ts";
import { createRenderer } from "../renderer.ts";
import type { ActionContext } from "./action.ts";
import { addParameters } from "./entity-parameters.ts";

const renderer = createRenderer({ workers: 1, stepTimeoutMs: 20_000 });
afterAll(() => renderer.close());

function contextOf(more: Partial<ActionContext> = {}): { ctx: ActionContext; dropped: () => number } {
  let dropped = 0;
  const ctx = {
    deps: { renderer, settings: { renderTimeoutMs: 20_000 } },
    input: { values: { name: "ship" } },
    parameters: { owner: "ada" },
    environment: {},
    signal: new AbortController().signal,
    withoutSecrets(values: Record<string, unknown>) {
      dropped += 1;
      return { ...values };
    },
    ...more,
  } as unknown as ActionContext;
  return { ctx, dropped: () => dropped };
}

const fileOf = (path: string, text: string): TreeFile => ({
  path,
  content: Buffer.from(text),
  isExecutable: false,
});
const treeOf = (files: TreeFile[]): Tree => ({ files, folders: [], skipped: [] });
const skeletons = (count: number): TreeFile[] =>
  Array.from({ length: count }, (_, index) => fileOf(`d${index}/catalog-info.yaml`, "%SKELETON\n"));

it("makes the same text once for all entities that bring none", async () => {
  const { ctx, dropped } = contextOf();
  const own = fileOf("d1/parameters.yaml", "values: { name: boat, size: 3 }\n");
  const { tree, asTheyAre } = await addParameters(treeOf([...skeletons(3), own]), ctx, null);
  const written = tree.files.filter(({ path }) => path.endsWith("parameters.yaml"));
  const usual = { parameters: { owner: "ada" }, values: { name: "ship" } };
  expect(written.map(({ path, content }) => [path, parseYaml(content.toString(), { file: path })])).toEqual([
    ["d0/parameters.yaml", { ok: true, value: usual }],
    ["d1/parameters.yaml", { ok: true, value: { ...usual, values: { name: "ship", size: 3 } } }],
    ["d2/parameters.yaml", { ok: true, value: usual }],
  ]);
  expect(written[2]?.content).toBe(written[0]?.content);
  expect(dropped()).toBe(2);
  expect([...asTheyAre]).toEqual(written.map(({ path }) => path));
});

it("finds the configurations that belong to an entity", async () => {
  const { ctx } = contextOf();
  const files = [
    fileOf("a/catalog-info.yaml", "kind: System\n"),
    fileOf("a/environments/production/configurations.yaml", "x: ${{ env.x }}\n"),
    fileOf("a/environments/deep/er/configurations.yaml", "x: ${{ env.x }}\n"),
    fileOf("b/catalog-info.yaml", "kind: System\n"),
    fileOf("b/environments/production/configurations.yaml", "x: 1\n"),
    fileOf("catalog-info.yml", "kind: System\n"),
    fileOf("environments/test/configurations.yaml", "x: ${{ env.x }}\n"),
  ];
  const { asTheyAre } = await addParameters(treeOf(files), ctx, null);
  expect([...asTheyAre].toSorted()).toEqual([
    "a/environments/production/configurations.yaml",
    "a/parameters.yaml",
    "environments/test/configurations.yaml",
    "parameters.yaml",
  ]);
});

it("refuses files that are too large together, before all of them are made", async () => {
  const { ctx } = contextOf({ parameters: { text: "x".repeat(1_000_000) } });
  await expect(addParameters(treeOf(skeletons(5_000)), ctx, null)).rejects.toMatchObject({
    code: "BUILDER_FETCH_TOO_LARGE",
    message: expect.stringContaining("one for each entity"),
  });
});

it.each([
  ["values", { list: Array.from({ length: 100_001 }, () => 1) }],
  ["characters", { text: "x".repeat(4 * 1024 * 1024 + 1) }],
  ["of both by far", { list: Array.from({ length: 1_000_000 }, () => []) }],
])("refuses more %s than could be read again, and says so", async (_what, parameters) => {
  const { ctx } = contextOf({ parameters });
  await expect(addParameters(treeOf(skeletons(1)), ctx, null)).rejects.toMatchObject({
    code: "BUILDER_ACTION_INPUT",
    message: expect.stringContaining("100000 values and 4194304 characters"),
  });
});

it("stops between two entities", async () => {
  const stopped = new AbortController();
  const { ctx } = contextOf({ signal: stopped.signal });
  const adding = addParameters(treeOf(skeletons(3)), ctx, null);
  stopped.abort(new Error("stopped"));
  await expect(adding).rejects.toThrow("stopped");
});
