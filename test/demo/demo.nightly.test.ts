/** A demo that is interrupted. */
import { describe, expect, test } from "vitest";
import { productProgram } from "../crash/processes.ts";
import { expectNothingLeft, startDemo, useHome } from "./run-demo.ts";

useHome();

describe("the demo", () => {
  test("an interrupted one leaves nothing behind either", async () => {
    const demo = startDemo(productProgram());
    await demo.said(/6\. Provision[^]*COMPLETED/);
    demo.child.kill("SIGINT");
    const { code, out, err } = await demo.ended;
    expect(code).toBe(130);
    expect(err).toContain("Interrupted");
    expect(out).toContain("Everything it started is stopped.");
    await expectNothingLeft();
  });
});
