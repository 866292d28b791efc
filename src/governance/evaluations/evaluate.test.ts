import { describe, expect, it } from "vitest";
import type { EngineInput, EngineOutcome } from "../engines/engine.ts";
import { evaluatePolicies } from "./evaluate.ts";
import type { ApprovedException, EvaluatedPolicy } from "./policy.ts";
import { resourcesOfUnit } from "./resources.ts";
import { right, testEngines, testPolicy, testUnit, wrong } from "./testdata.ts";

const now = new Date("2026-11-23T09:00:00Z");
const tomorrow = new Date("2026-11-24T09:00:00Z");
const yesterday = new Date("2026-11-22T09:00:00Z");

const described = ({ resource }: EngineInput) =>
  (resource as { description?: string }).description ? right : wrong("no description");

interface Given {
  policies: EvaluatedPolicy[];
  exceptions?: ApprovedException[];
  functions?: Record<string, (input: EngineInput) => unknown>;
  previous?: object;
  componentIds?: string[];
}

async function evaluate({ policies, exceptions = [], functions = {}, previous, componentIds }: Given) {
  const { engines, batches } = testEngines({ described, ...functions });
  const resources = resourcesOfUnit({
    descriptor: testUnit,
    environment: "production",
    previous,
    componentIds,
  });
  const found = await evaluatePolicies(
    { engines, readExceptions: async () => exceptions },
    { policies, resources, now, signal: new AbortController().signal, runId: "run" },
  );
  const shown = found.map(({ policy, resource, verdict }) => {
    const { outcome, isBlocking, exceptionId } = verdict;
    return `${policy.id} ${resource.id.split(":").at(-1)} ${outcome}${isBlocking ? " blocks" : ""}${exceptionId ? ` excused by ${exceptionId}` : ""}`;
  });
  return { shown, found, batches };
}

const exception = (more: Partial<ApprovedException> = {}): ApprovedException => ({
  id: "e1",
  policyId: "described",
  resourceIds: ["URN:unit:fleet:JOB"],
  select: null,
  environments: [],
  until: tomorrow,
  ...more,
});

describe("policies over the resources of a unit", () => {
  it("are evaluated in one batch: the unit and its components", async () => {
    const { shown, batches } = await evaluate({ policies: [testPolicy()] });
    expect(shown).toEqual([
      "described fleet error blocks",
      "described Port ok",
      "described job error blocks",
    ]);
    expect(batches).toEqual([{ inputs: 3, jobs: 3 }]);
  });

  it("of a type, an environment or an expression leave the others out", async () => {
    const policies = [
      testPolicy({ id: "ports", resourceType: "OutputPort" }),
      testPolicy({ id: "elsewhere", environments: ["development"] }),
      testPolicy({ id: "chosen", select: "isJob" }),
    ];
    const functions = { isJob: ({ resourceId }: EngineInput) => resourceId.endsWith(":job") };
    const { shown } = await evaluate({ policies, functions });
    expect(shown).toEqual(["ports Port ok", "chosen job error blocks"]);
  });

  it("leave out components that are not deployed; ids are compared in any case", async () => {
    const { shown } = await evaluate({ policies: [testPolicy()], componentIds: ["urn:unit:fleet:PORT"] });
    expect(shown).toEqual(["described fleet error blocks", "described Port ok"]);
  });

  it("see the unit only where they are global", async () => {
    const seen: (string | undefined)[] = [];
    const functions = {
      look: ({ unit }: EngineInput) => {
        seen.push((unit as { id?: string } | undefined)?.id);
        return right;
      },
    };
    const spec = { engine: "cel", assert: "look" } as const;
    const policies = [
      testPolicy({ spec, resourceType: "workload" }),
      testPolicy({ id: "g", spec, context: "global", resourceType: "workload" }),
    ];
    const { batches } = await evaluate({ policies, functions });
    expect(seen).toEqual([undefined, "urn:unit:fleet"]);
    expect(batches).toEqual([{ inputs: 2, jobs: 2 }]);
  });

  it("compare with what was deployed, where something was", async () => {
    const policies = [
      testPolicy({ strategy: "previous_vs_current", spec: { engine: "cel", assert: "compare" } }),
    ];
    const seen: unknown[] = [];
    const functions = {
      compare: ({ original, current }: EngineInput) => {
        seen.push([original, current]);
        return right;
      },
    };
    expect((await evaluate({ policies, functions })).shown).toEqual([]);
    const port = { id: "urn:unit:fleet:port", description: "Old" };
    const previous = { id: "urn:unit:fleet", components: [port] };
    const { shown } = await evaluate({ policies, functions, previous });
    expect(shown).toEqual(["described fleet ok", "described Port ok"]);
    expect(seen).toEqual([
      [previous, testUnit],
      [port, testUnit.components[0]],
    ]);
  });

  it("that disagree are both reported", async () => {
    const never = testPolicy({
      id: "never",
      spec: { engine: "cel", assert: "never" },
      resourceType: "outputport",
    });
    const policies = [testPolicy({ resourceType: "outputport" }), never];
    const { shown } = await evaluate({ policies, functions: { never: () => wrong("described") } });
    expect(shown).toEqual(["described Port ok", "never Port error blocks"]);
  });
});

describe("what a violation does", () => {
  it.each([
    ["grace without an end", { status: "grace" }, "warning"],
    ["grace", { status: "grace", graceUntil: tomorrow }, "warning"],
    ["grace past its date", { status: "grace", graceUntil: yesterday }, "error blocks"],
    ["grace at its date", { status: "grace", graceUntil: now }, "error blocks"],
    ["enabled", { status: "enabled" }, "error blocks"],
  ] as const)("%s", async (_, more, expected) => {
    const { shown } = await evaluate({ policies: [testPolicy({ resourceType: "workload", ...more })] });
    expect(shown).toEqual([`described job ${expected}`]);
  });

  it.each([
    ["excuses", exception(), "warning excused by e1"],
    ["that has ended", exception({ until: now }), "error blocks"],
    ["of another environment", exception({ environments: ["development"] }), "error blocks"],
    ["of another resource", exception({ resourceIds: ["urn:unit:fleet:port"] }), "error blocks"],
    ["of another policy", exception({ policyId: "other" }), "error blocks"],
    ["by an expression", exception({ resourceIds: [], select: "yes" }), "warning excused by e1"],
    ["by an expression that is false", exception({ resourceIds: [], select: "no" }), "error blocks"],
    ["by an expression that breaks", exception({ resourceIds: [], select: "breaks" }), "error blocks"],
  ] as const)("an exception %s", async (_, given, expected) => {
    const broken = { ok: false, reason: "broken", message: "no such key" };
    const functions = { yes: () => true, no: () => false, breaks: () => broken };
    const { shown } = await evaluate({
      policies: [testPolicy({ resourceType: "workload" })],
      exceptions: [given],
      functions,
    });
    expect(shown).toEqual([`described job ${expected}`]);
  });
});

describe("an engine without an answer", () => {
  const broken = { ok: false, reason: "timeout", message: "It took too long." } as const;
  it.each([
    ["warns", {}, "failed"],
    ["blocks where the policy says so", { onError: "block" }, "failed blocks"],
    ["blocks nothing in grace", { onError: "block", status: "grace" }, "failed"],
  ] as const)("%s", async (_, more, expected) => {
    const policy = testPolicy({ resourceType: "workload", ...more });
    const { shown, found } = await evaluate({ policies: [policy], functions: { described: () => broken } });
    expect(shown).toEqual([`described job ${expected}`]);
    expect(found[0]?.verdict).toMatchObject({ isError: true, errors: [{ message: "It took too long." }] });
  });

  it("is the answer where the expression that selects breaks", async () => {
    const policy = testPolicy({ resourceType: "workload", select: "breaks", onError: "block" });
    const { shown } = await evaluate({ policies: [policy], functions: { breaks: () => broken } });
    expect(shown).toEqual(["described job failed blocks"]);
  });
});

it("a metric has a value with the label of its range, and blocks nothing", async () => {
  const thresholds = [
    { label: "low", to: 50 },
    { label: "high", from: 50, to: 100 },
  ];
  const labels: unknown[] = [];
  for (const value of [-3, 49.9, 50, 100, 101]) {
    const { found } = await evaluate({
      policies: [testPolicy({ kind: "metric", resourceType: "workload", thresholds })],
      functions: { described: () => ({ ok: true, value, errors: [] }) },
    });
    labels.push([found[0]?.verdict.value, found[0]?.verdict.label, found[0]?.verdict.isBlocking]);
  }
  expect(labels).toEqual([
    [-3, "low", false],
    [49.9, "low", false],
    [50, "high", false],
    [100, "high", false],
    [101, null, false],
  ]);
});

it("a metric whose engine gives no number has failed", async () => {
  const { shown, found } = await evaluate({
    policies: [testPolicy({ kind: "metric", resourceType: "workload", onError: "block" })],
    functions: { described: () => wrong("must have required property") },
  });
  expect(shown).toEqual(["described job failed"]);
  expect(found[0]?.verdict).toMatchObject({
    isError: true,
    isSatisfied: false,
    errors: [{ message: "The engine gave no number." }],
  });
});

describe("an evaluation whose engines have a time limit", () => {
  const late: EngineOutcome & { ok: false } = { ok: false, reason: "timeout", message: "Too late." };

  /** Engines whose time is over at the first call; what is asked after that has no answer. */
  async function evaluateLate(policies: EvaluatedPolicy[], exceptions: ApprovedException[] = []) {
    const over = new AbortController();
    const resources = resourcesOfUnit({ descriptor: testUnit, environment: "production" });
    const { engines } = testEngines({ described, yes: () => true });
    const found = await evaluatePolicies(
      {
        engines: {
          select: async (expression, inputs, signal) =>
            signal.aborted ? inputs.map(() => late) : engines.select(expression, inputs, signal),
          async evaluate(inputs, jobs, signal) {
            const outcomes = await engines.evaluate(inputs, jobs, signal);
            over.abort();
            expect(signal.aborted).toBe(true);
            return jobs.map(({ key }, at) => (key.startsWith("slow") ? late : outcomes[at]!));
          },
        },
        readExceptions: async () => exceptions,
      },
      {
        policies,
        resources,
        now,
        signal: new AbortController().signal,
        timeLimits: { engines: over.signal, exceptions: new AbortController().signal },
        runId: "run",
      },
    );
    return found.map(
      ({ policy, verdict }) => `${policy.id} ${verdict.outcome}${verdict.isBlocking ? " blocks" : ""}`,
    );
  }
  const workload = { resourceType: "workload" };

  it("keeps what was answered, and what was not is as the policy says", async () => {
    const policies = [
      testPolicy(workload),
      testPolicy({ id: "slow", ...workload }),
      testPolicy({ id: "slow-blocks", ...workload, onError: "block" }),
    ];
    expect(await evaluateLate(policies)).toEqual([
      "described error blocks",
      "slow failed",
      "slow-blocks failed blocks",
    ]);
  });

  it("still asks the expressions of exceptions", async () => {
    const policies = [testPolicy(workload), testPolicy({ id: "slow", ...workload })];
    const excuses = exception({ resourceIds: [], select: "yes" });
    expect(await evaluateLate(policies, [excuses])).toEqual(["described warning", "slow failed"]);
  });
});

it("an evaluation that is aborted has no results", async () => {
  const abort = new AbortController();
  const { engines } = testEngines({
    described() {
      abort.abort();
      return { ok: false, reason: "timeout", message: "The evaluation was ended." };
    },
  });
  const resources = resourcesOfUnit({ descriptor: testUnit, environment: "production" });
  const evaluated = evaluatePolicies(
    { engines, readExceptions: async () => [] },
    { policies: [testPolicy()], resources, now, signal: abort.signal, runId: "run" },
  );
  await expect(evaluated).rejects.toThrow(/abort/i);
});
