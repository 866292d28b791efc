import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawSequence } from "./commands.ts";
import { mistakes } from "./mistakes.ts";
import { shrink, tryOut } from "./shrink.ts";
import { openSystem, type System } from "./system.ts";

const sequences = 4;
let system: System;
beforeAll(async () => {
  system = await openSystem();
});
afterAll(() => system.close());

describe("two interfaces and two workers", () => {
  it(`do what the reference does in ${sequences} sequences`, async () => {
    const first = Date.now() % 2 ** 31;
    for (let seed = first; seed < first + sequences; seed++) {
      const commands = drawSequence(seed, 50);
      const message = await tryOut(system, commands);
      if (message === null) continue;
      const shrunk = await shrink(system, { commands, message }, 20);
      const lines = shrunk.commands.map((command) => JSON.stringify(command)).join("\n");
      expect.fail(`seed ${seed}: ${message}\nshorter: ${shrunk.message}\n${lines}`);
    }
  });
});

/** From this seed on each mistake shows soon; most of them in the first sequence. */
const soonAt: Record<string, number> = {
  "force is taken for safety": 11,
  "a disabled adapter is used": 3,
  "unchanged components are deployed again": 7,
  "what has no target is refused": 14,
};
const mostSequences = 30;

describe("the reference finds out when", () => {
  it.each(Object.keys(mistakes))("%s", async (name) => {
    const mistaken = mistakes[name]!({ ...system, patienceMs: 3_000 });
    const first = soonAt[name] ?? 1;
    for (let seed = first; seed < first + mostSequences; seed++) {
      if ((await tryOut(mistaken, drawSequence(seed, 25))) !== null) return;
    }
    expect.fail(`Not found in ${mostSequences} sequences.`);
  });
});
