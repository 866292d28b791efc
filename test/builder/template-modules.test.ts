/** Filters and globals that modules of an operator bring to templates. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extensionsWith } from "../../src/builder/templates/extensions.ts";
import { readExtensionModules } from "../../src/builder/templates/engine/module-extensions.ts";
import { createRenderer, overrunReason, type Renderer } from "../../src/builder/renderer.ts";

const folder = fileURLToPath(new URL("action-modules", import.meta.url));
let renderer: Renderer;

beforeAll(async () => {
  const extensions = await readExtensionModules(folder);
  renderer = createRenderer({ workers: 1, stepTimeoutMs: 300, extensions });
});
afterAll(() => renderer.close());

async function render(template: string) {
  const result = await renderer.run("render", { template, context: { ship: "rex" } });
  return "overrun" in result ? { ok: false, reason: overrunReason(result, 300) } : result;
}

describe("modules of filters", () => {
  it.each<[string, unknown]>([
    ["${{ ship | shipName }}", "SS REX"],
    ["${{ ship | shipName('MV') }}!", "MV REX!"],
    ["${{ ship | backwards }}", "xer"],
    ["${{ ship | upper }}", "REX"],
    ["${{ harbour.berths + berthOf(ship) }}", 15],
    ["the ${{ flag }} flag", "the blue flag"],
  ])("render %s", async (template, value) => {
    expect(await render(template)).toEqual({ ok: true, value });
  });

  it("are known where templates are checked, and to their skeletons", async () => {
    expect(await renderer.run("check", { a: "${{ x | shipName }}" })).toEqual([]);
    expect(await renderer.run("check", { a: "${{ x | nope }}" })).toMatchObject([{ path: ["a"] }]);
    const content = "{{ ship | backwards }}";
    const { files } = (await renderer.run("skeleton", {
      files: [{ path: "a.txt", content }],
      context: { ship: "rex" },
      trimBlocks: false,
      lstripBlocks: false,
      cookiecutterCompat: true,
      rendersNames: false,
      copyOnly: [],
      rendersCopiedNames: false,
    })) as { files: { content: string }[] };
    expect(files[0]?.content).toBe("xer");
  });

  it("fail the render and nothing else", async () => {
    expect(await render("${{ ship | later }}")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("answers later"),
    });
    expect(await render("${{ ship | endless }}")).toEqual({
      ok: false,
      reason: "it took longer than 300 ms",
    });
    expect(await render("${{ ship | shipName }}")).toEqual({ ok: true, value: "SS REX" });
  });

  it("are listed with what they say of themselves, and with what can't be used", async () => {
    const notes = await renderer.extensions();
    const { filters, globals } = extensionsWith(notes);
    expect(Object.keys(filters)).toEqual([
      "pick",
      "parseEntityRef",
      "projectSlug",
      "parseRepoUrl",
      "shipName",
      "later",
      "endless",
      "backwards",
    ]);
    expect(filters).toMatchObject({
      backwards: {
        description: "Turns a text around.",
        schema: { input: { type: "string" } },
        examples: [{ example: "${{ 'abc' | backwards }}" }],
      },
      shipName: { description: "", schema: {}, examples: [] },
    });
    expect(Object.keys(globals.functions)).toEqual(["always", "failure", "berthOf"]);
    expect(globals.values).toEqual({
      harbour: { value: { name: "Genoa", berths: 12 } },
      flag: { value: "blue" },
    });
    expect(notes.problems).toEqual([
      "./filters.mjs: the filter upper is there already",
      "./filters.mjs: the filter broken is no function",
      expect.stringMatching(/^\.\/missing\.mjs: Cannot find module/),
    ]);
  });
});
