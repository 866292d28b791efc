import { expect, it } from "vitest";
import { productProgram } from "../crash/processes.ts";
import { runPromotions } from "./run.ts";

it("plans go on at the promoted standby, and no connection stays on the server that can only be read", async () => {
  const { violations, load, backs } = await runPromotions({
    program: productProgram(),
    rounds: 1,
    only: "demoted",
    units: 10,
    seed: 7,
    say: () => undefined,
  });
  expect(violations).toEqual([]);
  expect(backs).toHaveLength(1);
  expect(load.accepted.length).toBeGreaterThanOrEqual(10);
});
