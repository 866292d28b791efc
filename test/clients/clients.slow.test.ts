/** Outside clients of every kind, unchanged, against a server process: `npm run test:clients` prints the same as a table. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stepNames } from "./client-kind.ts";
import { clientKinds, runStep } from "./run.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe.each(clientKinds)("$name", (kind) => {
  it.each(stepNames)("%s", async (step) => {
    const { result, why } = await runStep(world, kind, step);
    expect(result === "failed" ? why : "").toBe("");
  });
});
