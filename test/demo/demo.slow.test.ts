/** The whole demo, step by step. */
import { describe, expect, test } from "vitest";
import { sourceProgram } from "../crash/processes.ts";
import { expectNothingLeft, isLinux, processesIn, startDemo, useHome } from "./run-demo.ts";

const home = useHome();

describe("the demo", () => {
  test("goes from files to rows, redeploys one component, and leaves nothing behind", async () => {
    const demo = startDemo(sourceProgram, "--json");
    await demo.said(/"step":"start"/);
    // Otherwise the check at the end could not fail.
    for (const name of isLinux ? ["adapters/postgres/", "adapters/mock/", "postgres -D"] : []) {
      expect(processesIn(home()).join("\n")).toContain(name);
    }
    const { code, out, err } = await demo.ended;
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const steps = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, any>);
    expect(steps.map(({ step }) => step)).toEqual([
      "start",
      "register",
      "build",
      "validate",
      "plan",
      "provision",
      "query",
      "change",
    ]);
    const of = (name: string): Record<string, any> => steps.find(({ step }) => step === name)!;
    expect(of("plan")["operations"].map(({ action }: { action: string }) => action)).toEqual(
      Array(8).fill("DEPLOY"),
    );
    expect(of("provision")).toMatchObject({ status: "COMPLETED" });
    expect(of("query")).toMatchObject({
      status: "DEPLOYED",
      ports: [
        { view: "fleet_summary", total: 2 },
        { view: "latest_positions", total: 12 },
      ],
    });
    expect(of("change")).toMatchObject({
      redeployed: ["urn:dmb:cmp:mobility:fleet-positions:0:latest-positions"],
      untouched: 7,
      ports: [{ columns: expect.arrayContaining(["depot"]) }],
    });
    await expectNothingLeft();
  });
});
