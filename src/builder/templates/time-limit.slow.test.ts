/** Templates beside programs that take all cores. */
import { spawn, type ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { afterAll, describe, expect, it } from "vitest";
import { createRenderer } from "../renderer.ts";

describe.runIf(process.platform === "linux")("on a machine whose cores are all taken", () => {
  const busy: ChildProcess[] = [];
  afterAll(() => busy.forEach((each) => each.kill("SIGKILL")));

  it("healthy templates are rendered, however long they wait for a core", async () => {
    const renderer = createRenderer({ workers: 2, stepTimeoutMs: 200 });
    const template = "{% for n in range(3000) %}${{ n }}{% endfor %}";
    const renderSome = (count: number) =>
      Promise.all(Array.from({ length: count }, () => renderer.run("render", { template, context: {} })));
    // The first ones compile what the others use.
    await renderSome(6);
    const loops = availableParallelism() * 3;
    for (let n = 0; n < loops; n += 1) busy.push(spawn(process.execPath, ["-e", "for (;;);"]));
    const results = await renderSome(8);
    expect(results.filter((result) => "overrun" in result || !result.ok)).toEqual([]);
    await renderer.close();
  });
});
