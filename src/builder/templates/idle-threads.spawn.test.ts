/** In a process of its own: threads of other tests would be counted as well. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { packBatch } from "../descriptors/entities/entity-batch.ts";
import { createRenderer } from "../renderer.ts";

const countThreads = (): number =>
  readdirSync("/proc/self/task").filter((id) =>
    readFileSync(`/proc/self/task/${id}/comm`, "utf8").startsWith("plinth-"),
  ).length;

it("a renderer ends threads that have nothing to do, and starts one for the next job", async () => {
  const renderer = createRenderer({ workers: 2, idleMs: 50 });
  try {
    for (const value of [1, 2]) {
      const job = { template: `\${{ ${value} }}`, context: {} };
      expect(await renderer.run("render", job)).toMatchObject({ ok: true, value });
      expect(countThreads()).toBeGreaterThan(0);
      await expect.poll(countThreads).toBe(0);
    }
  } finally {
    await renderer.close();
  }
});

it("a renderer has one thread until a job has to wait for it", async () => {
  const renderer = createRenderer({ workers: 2, idleMs: 60_000 });
  const render = (count: number) => renderer.run("render", job(count));
  const job = (count: number) => ({ template: `{% for n in range(${count}) %}.{% endfor %}`, context: {} });
  try {
    for (let n = 0; n < 20; n += 1) await render(1);
    await Promise.all(Array.from({ length: 4 }, () => render(1)));
    expect(countThreads()).toBe(1);
    // One thread needs much longer than 300 ms for all of these, so that a further one is started.
    await Promise.all(Array.from({ length: 30 }, () => render(300_000)));
    expect(countThreads()).toBe(2);
    await render(1);
    expect(countThreads()).toBe(2);
  } finally {
    await renderer.close();
  }
});

it("a renderer has a thread more at once for entities of an archive, which come together", async () => {
  const renderer = createRenderer({ workers: 2, idleMs: 60_000 });
  const files = { "catalog-info.yaml": Buffer.from("kind: System\nmetadata: { name: a.b.0 }\nspec: {}\n") };
  const context = {
    environment: "development",
    namespace: "dmb",
    taxonomy: { systemTypes: {}, componentTypes: {} },
    maxDescriptorBytes: 1_000_000,
  };
  try {
    const described = [1, 2].map(() =>
      renderer.run("describe", { batch: packBatch([{ directory: "a", files }]), context }),
    );
    for (const each of await Promise.all(described)) expect(each).toHaveProperty("texts");
    expect(countThreads()).toBe(2);
  } finally {
    await renderer.close();
  }
});
