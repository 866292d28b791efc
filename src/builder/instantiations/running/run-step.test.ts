import { expect, it } from "vitest";
import type { Action } from "../../actions/action.ts";
import { createMask } from "../../../platform/lib/secrets/mask.ts";
import type { Run } from "./journal.ts";
import { runStep } from "./run-step.ts";

it("refuses iterations whose inputs are too large together, before the first one begins", async () => {
  let calls = 0;
  const action: Action = {
    id: "test:count",
    description: "Counts its calls.",
    supportsDryRun: true,
    input: { type: "object" },
    run: async () => void (calls += 1),
  };
  const run = {
    actions: new Map([[action.id, action]]),
    deps: {},
    limits: { eachItems: 1_000, actionTimeoutMs: 1_000, outputBytes: 1_000 },
    mask: createMask([]),
    journal: { log() {} },
    signal: new AbortController().signal,
    isDryRun: true,
  } as unknown as Run;
  const step = { id: "many", name: "Many", action: action.id, input: { text: "${{ parameters.b }}x" } };
  const variables = { parameters: { b: "b".repeat(200_000) } };
  const each = Array<number>(200).fill(1);
  await expect(
    runStep(run, { index: 0, step: { ...step, each }, hasFailed: false, variables }),
  ).rejects.toThrow('step "many", each: the inputs of its iterations are larger than 33554432 characters.');
  expect(calls).toBe(0);
});
