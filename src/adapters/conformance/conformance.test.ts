import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";

import { newId } from "../../platform/lib/ids.ts";
import type { RequestedBehaviour } from "../mock/behaviour.ts";
import type { MockAdapter, MockAdapterOptions } from "../mock/server.ts";
import { startMockAdapter } from "../mock/server.ts";
import type { CheckResult, Report, RunOptions } from "./run.ts";
import { runConformance } from "./run.ts";
import { sampleUnit } from "./sample.ts";

const running: MockAdapter[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((adapter) => adapter.close()));
});

async function start(options: MockAdapterOptions = {}): Promise<MockAdapter> {
  const adapter = await startMockAdapter(options);
  running.push(adapter);
  return adapter;
}

const unit = sampleUnit("test");
const componentId = "urn:dmb:cmp:conformance:check-test:0:sample";

const check = (url: string, options: Partial<RunOptions> = {}): Promise<Report> =>
  runConformance({
    url,
    subject: {
      unit,
      componentId,
      needs: [],
      refs: ["user:ada", "group:readers"],
      invalidUnit: undefined,
      reverseParams: {},
    },
    timeoutMs: 20_000,
    waitMs: 20_000,
    pollMs: 2,
    only: [],
    newId,
    now: () => performance.now(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    signal: new AbortController().signal,
    ...options,
  });

const idsOf = (report: Report, outcome: CheckResult["outcome"]): string[] =>
  report.results.filter((result) => result.outcome === outcome).map(({ id }) => id);

const findings = (report: Report): string[] =>
  report.results.flatMap(({ id, deviations }) => deviations.map(({ what }) => `${id}: ${what}`));

describe("the mock as it is", () => {
  it("has the full score, and only what it cannot show is skipped", async () => {
    const { url } = await start({ secret: "a shared secret" });
    const report = await check(url, { secret: "a shared secret" });
    expect(findings(report)).toEqual([]);
    expect(report).toMatchObject({ score: 100, reachable: true, complete: true, leftBehind: [] });
    expect(idsOf(report, "skipped")).toEqual([
      "validation.invalid",
      "provisioning.token",
      "provisioning.end-stays",
      "termination.running",
      "termination.usable-after",
      "termination.finished",
    ]);
    expect(report.counts).toEqual({ pass: 43, warn: 0, fail: 0, skipped: 6 });
  });

  it.each(["final", "accepted", "unsupported"] as const)(
    "has the full score with tokens too, whose termination is %s",
    async (terminate) => {
      const adapter = await start({ behaviours: { default: { mode: "async", terminate } } });
      const report = await check(adapter.url);
      expect(findings(report)).toEqual([]);
      expect(report.score).toBe(100);
      const authorization = ["missing", "wrong-secret", "expired", "unsigned", "nonsense"];
      expect(idsOf(report, "skipped")).toEqual([
        "validation.invalid",
        ...authorization.map((name) => `authorization.${name}`),
        ...(terminate === "unsupported" ? ["termination.usable-after"] : []),
      ]);
    },
  );
});

/** How the mock misbehaves, the checks that then fail, and other groups that may report it. */
const misbehaviours: [name: string, requested: RequestedBehaviour, failing: string[], only?: string[]][] = [
  [
    "finds everything invalid",
    { validationErrors: ["no"] },
    ["validation.valid", "validation.v2-valid"],
    ["validation"],
  ],
  ["fails", { outcome: "FAILED" }, ["provisioning.completes"], ["provisioning"]],
  ["stops unasked", { outcome: "TERMINATED" }, ["provisioning.completes"], ["provisioning"]],
  ["answers 500", { odd: { start: odd("500") } }, ["provisioning.completes"], ["provisioning"]],
  [
    "answers 500 in plain text",
    { odd: { start: odd("500-text") } },
    ["provisioning.completes"],
    ["provisioning"],
  ],
  ["redirects", { odd: { start: odd("redirect") } }, ["provisioning.completes"], ["provisioning"]],
  ["asks for patience", { odd: { start: odd("429") } }, ["provisioning.completes"], ["provisioning"]],
  [
    "breaks the connection",
    { odd: { start: odd("reset-after") } },
    ["provisioning.completes"],
    ["provisioning"],
  ],
  [
    "breaks off an answer",
    { odd: { start: odd("reset-middle") } },
    ["provisioning.completes"],
    ["provisioning"],
  ],
  ["never answers", { odd: { start: odd("never") } }, ["provisioning.completes"], ["provisioning.completes"]],
  ["drips", { odd: { start: odd("drip") } }, ["provisioning.completes"], ["provisioning.completes"]],
  ["answers 11 MB", { odd: { start: odd("huge") } }, ["provisioning.completes"], ["provisioning"]],
  ["packs a bomb", { odd: { start: odd("gzip-bomb") } }, ["provisioning.completes"], ["provisioning"]],
  ["sends no JSON", { odd: { start: odd("malformed-json") } }, ["provisioning.completes"], ["provisioning"]],
  ["sends nothing", { odd: { start: odd("empty-body") } }, ["provisioning.completes"], ["provisioning"]],
  ["sends a list", { odd: { start: odd("list-body") } }, ["provisioning.completes"], ["provisioning"]],
  ["sends wrong types", { odd: { start: odd("wrong-types") } }, ["provisioning.completes"], ["provisioning"]],
  [
    "sends an unknown status",
    { odd: { start: odd("unknown-status") } },
    ["provisioning.completes"],
    ["provisioning"],
  ],
  ["gives no token", { odd: { start: odd("no-token") } }, ["provisioning.completes"], ["provisioning"]],
  [
    "is at work without a token",
    { odd: { start: odd("running-200") } },
    ["provisioning.completes"],
    ["provisioning"],
  ],
  [
    "has odd members",
    { odd: { start: odd("odd-members") } },
    ["provisioning.completes", "provisioning.again"],
    ["provisioning"],
  ],
  [
    "gives one token to all",
    { mode: "async", odd: { start: odd("reused-token") } },
    ["provisioning.token"],
    ["provisioning"],
  ],
  [
    "changes its mind",
    { mode: "async", odd: { poll: odd("flip") } },
    ["provisioning.end-stays"],
    ["provisioning.end-stays"],
  ],
  [
    "forgets a token",
    { mode: "async", odd: { poll: odd("404") } },
    ["provisioning.completes"],
    ["provisioning"],
  ],
  [
    "fails at every poll",
    { mode: "async", odd: { poll: odd("500") } },
    ["provisioning.completes"],
    ["provisioning"],
  ],
  [
    "cannot be stopped by a defect",
    { mode: "async", terminate: "error" },
    ["termination.running"],
    ["termination"],
  ],
  ["does not stop", { mode: "async", terminate: "never" }, ["termination.running"], ["termination.running"]],
  [
    "cannot grant",
    { operations: { updateacl: { outcome: "FAILED" } } },
    ["access.set", "access.same-set", "access.smaller-set", "access.revoke-all"],
    ["access"],
  ],
  [
    "cannot remove",
    { operations: { unprovision: { odd: { start: odd("400") } } } },
    ["unprovisioning.keep-data", "unprovisioning.again", "unprovisioning.remove-data", "answers.tidy"],
    ["unprovisioning"],
  ],
  [
    "reads nothing back",
    { operations: { "reverse-provisioning": { updates: "none" } } },
    ["reverse.reads"],
    ["reverse"],
  ],
];

function odd(name: string): { name: any; times: number } {
  return { name, times: Number.MAX_SAFE_INTEGER };
}

describe("an adapter that", () => {
  it.each(misbehaviours)("%s is found out", async (_name, requested, failing, only = []) => {
    const adapter = await start({ behaviours: { default: requested } });
    const patience = JSON.stringify(requested).match(/never|drip/) ? { timeoutMs: 1_500, waitMs: 300 } : {};
    const report = await check(adapter.url, { only, ...patience });
    const failed = idsOf(report, "fail");
    expect(failed).toEqual(expect.arrayContaining(failing));
    // Apart from what it would have to undo, nothing else is blamed.
    const groupsBlamed = failed.filter((id) => id !== "answers.tidy").map((id) => id.split(".")[0]);
    expect([...new Set(groupsBlamed)]).toEqual([failing[0]?.split(".")[0]]);
    expect(report.score).toBeLessThan(100);
    for (const { deviations } of report.results) {
      for (const { what, protocol, fix } of deviations) {
        expect([what, protocol, fix].every((text) => text.length > 5)).toBe(true);
      }
    }
  });

  it.each([
    ["writes a status in another case", "status-case", '`status` is "Completed"'],
    ["wraps its token", "token-object", "wrapped in an object"],
  ])("%s gets a warning", async (_name, name, what) => {
    const requested: RequestedBehaviour = { mode: "async", odd: { start: odd(name) } };
    const report = await check((await start({ behaviours: { default: requested } })).url, {
      only: ["provisioning.completes"],
    });
    expect(idsOf(report, "fail")).toEqual([]);
    expect(report).toMatchObject({ score: 75, counts: { warn: 1 } });
    expect(findings(report)[0]).toContain(what);
  });
});

describe("a run", () => {
  it("tells of every finding what was sent and what came back, without the secret", async () => {
    const secret = "very secret indeed";
    const adapter = await start({
      secret,
      behaviours: { default: { result: `leaks ${secret}`, outcome: "FAILED" } },
    });
    const report = await check(adapter.url, { secret, only: ["provisioning.completes"] });
    const [deviation] = report.results[0]?.deviations ?? [];
    expect(deviation).toMatchObject({
      severity: "fail",
      what: "The provisioning ended FAILED: leaks ***.",
      exchange: {
        method: "POST",
        path: "/v1/provision",
        sent: {
          headers: { authorization: "Bearer ***" },
          body: expect.stringContaining("COMPONENT_DESCRIPTOR"),
        },
        answer: { status: 200, shown: expect.stringContaining('"FAILED","result":"leaks ***"') },
      },
    });
  });

  it("stops at once when nothing answers", async () => {
    const adapter = await startMockAdapter();
    await adapter.close();
    const report = await check(adapter.url);
    expect(report.reachable).toBe(false);
    expect(report.counts).toMatchObject({ pass: 0, fail: 1 });
    expect(findings(report)[0]).toContain("ECONNREFUSED");
  });

  it("that is interrupted removes what it has deployed", async () => {
    const adapter = await start();
    const interrupt = new AbortController();
    const report = await check(adapter.url, {
      signal: interrupt.signal,
      onCheck: ({ id }) => (id === "provisioning.completes" ? interrupt.abort() : undefined),
    });
    expect(report).toMatchObject({ complete: false, leftBehind: [] });
    expect(adapter.journal().at(-1)).toMatchObject({ operation: "unprovision", acted: true });
  });

  it("that cannot remove what it has deployed says so", async () => {
    const requested: RequestedBehaviour = { operations: { unprovision: { odd: { start: odd("500") } } } };
    const adapter = await start({ behaviours: { default: requested } });
    const report = await check(adapter.url, { only: ["provisioning.completes"] });
    expect(report.leftBehind).toEqual([componentId]);
    expect(idsOf(report, "fail")).toEqual(["answers.tidy"]);
  });

  it("of validations changes nothing", async () => {
    const adapter = await start();
    const report = await check(adapter.url, { only: ["validation"] });
    expect(report.score).toBe(100);
    expect(adapter.effects().filter(({ operation, acted }) => operation !== "validate" && acted > 0)).toEqual(
      [],
    );
  });
});
