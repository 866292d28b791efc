import * as fc from "fast-check";
import { expect, test } from "vitest";
import { violations } from "./planner-properties.ts";
import { drawScenario } from "./planner-scenarios.ts";
import type { Draw } from "./planner-scenarios.ts";

/** Numbers from a list, zeros after its end: a shorter list is a simpler scenario, so that shrinking works. */
function drawFrom(numbers: readonly number[]): Draw {
  let next = 0;
  return (max) => {
    const number = numbers[next] ?? 0;
    next += 1;
    return number % (max + 1);
  };
}

const entropy = fc.array(fc.nat({ max: 0xffff }), { minLength: 40, maxLength: 400 });

// fast-check prints the seed and the smallest list of numbers of a failure. Many more graphs, from a faster
// generator: node test/properties/planner.ts
test("what must hold of any plan holds of drawn ones", () => {
  fc.assert(
    fc.property(entropy, (numbers) => {
      const draw = drawFrom(numbers);
      expect(violations(drawScenario(draw), draw)).toEqual([]);
    }),
    { numRuns: 4_000 },
  );
});
