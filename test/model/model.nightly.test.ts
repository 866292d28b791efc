import { afterAll, beforeAll, describe, it } from "vitest";
import { expectFound, isSlowToFind, mistakeNames } from "./finds.ts";
import { openSystem, type System } from "./system.ts";

let system: System;
beforeAll(async () => {
  system = await openSystem();
});
afterAll(() => system.close());

describe("the reference finds out when", () => {
  it.each(mistakeNames.filter(isSlowToFind))("%s", (name) => expectFound(system, name));
});
