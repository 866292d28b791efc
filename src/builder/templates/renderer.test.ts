import { afterAll, describe, expect, it } from "vitest";
import { packBatch } from "../descriptors/entities/entity-batch.ts";
import type { TemplateContext } from "./engine/template-value.ts";
import { createRenderer, overrunReason, type Renderer } from "../renderer.ts";

const renderer = createRenderer({ workers: 2, stepTimeoutMs: 300, maxMemoryMb: 64 });
afterAll(() => renderer.close());

async function render(pool: Renderer, template: string, given: TemplateContext) {
  const result = await pool.run("render", { template, context: given });
  return "overrun" in result ? { ok: false as const, reason: overrunReason(result, 300) } : result;
}

const slowRegex = "${{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | replace(r/^(a+)+$/, '') }}";
const context = {
  environment: "development",
  namespace: "dmb",
  taxonomy: { systemTypes: {}, componentTypes: {} },
  maxDescriptorBytes: 1_000_000,
};
const directory = (name: string, text: string) => ({
  directory: name,
  files: { "catalog-info.yaml": Buffer.from(text) },
});

describe("createRenderer", () => {
  it("renders in its worker", async () => {
    expect(await render(renderer, "${{ a | upper }}", { a: "x" })).toEqual({ ok: true, value: "X" });
  });

  it("kills a regular expression that does not end, and works on", async () => {
    expect(await render(renderer, slowRegex, {})).toEqual({
      ok: false,
      reason: "it took longer than 300 ms",
    });
    expect(await render(renderer, "${{ 1 }}", {})).toEqual({ ok: true, value: 1 });
  });

  it("survives templates that eat memory", async () => {
    const eater =
      "{% set s = ['0123456789abcdef'] %}{% for i in range(60) %}{% set s = s.concat(s) %}{% endfor %}${{ s | length }}";
    expect(await render(renderer, eater, {})).toMatchObject({ ok: false });
    expect(await render(renderer, "${{ 1 }}", {})).toEqual({ ok: true, value: 1 });
  });

  it("survives a thread that runs out of memory, and says at which file", async () => {
    const small = createRenderer({ workers: 1, maxMemoryMb: 24, stepTimeoutMs: 20_000 });
    const large = packBatch([
      directory("good", "kind: System\nmetadata: { name: a.b.0 }\nspec: {}\n"),
      directory("large", "- { a: { b: { c: d } } }\n".repeat(40_000)),
    ]);
    expect(await small.run("describe", { batch: large, context }, [large.bytes.buffer])).toEqual({
      overrun: "memory",
      step: 4,
    });
    expect(await render(small, "${{ 1 }}", {})).toEqual({ ok: true, value: 1 });
    await small.close();
  });

  it("does not send a thread what it can hardly hold, and works on", async () => {
    const lists = Array.from({ length: 800_000 }, () => []);
    const sent = renderer.run("render", { template: "${{ 1 }}", context: { lists } });
    expect(await sent).toEqual({ overrun: "size", step: 0 });
    expect(overrunReason({ overrun: "size", step: 0 }, 300)).toContain("64 MB");
    expect(await render(renderer, "${{ 1 }}", {})).toEqual({ ok: true, value: 1 });
  });

  it("says at which file a batch was given up", async () => {
    const batch = packBatch([
      directory("good", "kind: System\nmetadata: { name: a.b.0 }\nspec: {}\n"),
      directory("slow", `%SKELETON\nkind: \${{ 1 }}\nx: ${slowRegex}\n`),
    ]);
    expect(await renderer.run("describe", { batch: batch, context }, [batch.bytes.buffer])).toEqual({
      overrun: "time",
      step: 4,
    });
  });

  it("runs many jobs and keeps their answers apart", async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => render(renderer, "${{ n }}", { n: index })),
    );
    expect(results.map((result) => (result.ok ? result.value : null))).toEqual(
      Array.from({ length: 50 }, (_, index) => index),
    );
  });

  it("rejects what waits when it is closed", async () => {
    const other = createRenderer({ workers: 1 });
    const waiting = render(other, "${{ 1 }}", {});
    const refused = expect(waiting).rejects.toThrow("the renderer is closed");
    await other.close();
    await refused;
    await expect(render(other, "x", {})).rejects.toThrow("the renderer is closed");
  });

  it("limits the queue", async () => {
    const other = createRenderer({ workers: 1, maxQueuedJobs: 1 });
    const first = render(other, "${{ 1 }}", {});
    const second = render(other, "${{ 2 }}", {});
    await expect(render(other, "${{ 3 }}", {})).rejects.toThrow("too many jobs");
    expect([await first, await second]).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 2 },
    ]);
    await other.close();
  });
});
