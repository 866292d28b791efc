import { describe, it } from "vitest";
import { expectNoTrace, isLongWhenCrashed } from "./crash-after-every-event.ts";
import { planFixtures } from "./plan-fixtures.ts";

describe.concurrent("a worker that dies at any write", () => {
  it.each(planFixtures.filter((fixture) => !isLongWhenCrashed(fixture)))(
    "leaves a plan that ends as if nothing had been: $name",
    expectNoTrace,
  );
});
