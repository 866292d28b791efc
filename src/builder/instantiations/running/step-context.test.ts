import { expect, it } from "vitest";
import type { Renderer } from "../../renderer.ts";
import type { Json } from "../../templates/engine/template-value.ts";
import { renderStep } from "./step-context.ts";

/** A renderer that refuses, and counts how often it was called. */
function refusing(): Renderer & { calls: number } {
  const renderer = {
    calls: 0,
    async run() {
      renderer.calls += 1;
      return { ok: false, fault: { path: [], reason: "the output is too large" } };
    },
  };
  return renderer as unknown as Renderer & { calls: number };
}

const render = (renderer: Renderer, input: Json, parameters: Json): Promise<Json | undefined> =>
  renderStep(
    { renderer, renderTimeoutMs: 1_000 },
    { input, variables: { parameters }, hasFailed: false, place: "step" },
  );

const long = "b".repeat(500_000);

it.each<[string, Json, Json]>([
  ["texts", Array(2_000).fill("${{ parameters.b }}x"), { b: "b".repeat(200_000) }],
  ["one text", "${{ parameters.b }}x", { b: long }],
  ["copies of a list", Array(2_000).fill("${{ parameters.b }}"), { b: Array(1_000).fill(1) }],
  ["copies of an object", { a: "${{ parameters.b }}", b: "${{ parameters.b }}" }, { b: { [long]: null } }],
])(
  "leaves an input to the thread of the renderer that grows beyond a limit: %s",
  async (_case, input, values) => {
    const renderer = refusing();
    await expect(render(renderer, input, values)).rejects.toThrow("the output is too large");
    expect(renderer.calls).toBe(1);
  },
);

it("renders a small input itself, and counts nothing that has no expression", async () => {
  const renderer = refusing();
  const input = { text: "${{ parameters.b }}x", plain: long, list: ["${{ parameters.list }}"], n: 1 };
  expect(await render(renderer, input, { b: "b", list: [1, { a: "x" }] })).toEqual({
    text: "bx",
    plain: long,
    list: [[1, { a: "x" }]],
    n: 1,
  });
  expect(renderer.calls).toBe(0);
});

it("applies the common filters itself", async () => {
  const renderer = refusing();
  const input = {
    owner: "${{ parameters.owner | parseEntityRef | pick('name') }}",
    repository: '${{ parameters.repoUrl | parseRepoUrl | pick("repo") }}',
    message: "Made ${{ parameters.name | upper }} for ${{ parameters.zones | join(', ') }}",
  };
  const parameters = {
    owner: "group:default/sailors",
    repoUrl: "github.com?owner=sea&repo=fleet",
    name: "fleet",
    zones: ["north", "south"],
  };
  expect(await render(renderer, input, parameters)).toEqual({
    owner: "sailors",
    repository: "fleet",
    message: "Made FLEET for north, south",
  });
  expect(renderer.calls).toBe(0);
});
