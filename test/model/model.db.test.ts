import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawSequence } from "./commands.ts";
import { expectFound, isSlowToFind, mistakeNames } from "./finds.ts";
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

describe("the reference finds out when", () => {
  it.each(mistakeNames.filter((name) => !isSlowToFind(name)))("%s", (name) => expectFound(system, name));
});
