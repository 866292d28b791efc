import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { ok, problem, warning, type Check, type Finding } from "../lib/check.ts";
import { silentLogger } from "../lib/logger.ts";
import { createDoctor } from "./doctor.ts";
import { runChecks } from "./run-checks.ts";

const log = silentLogger;
const check = (name: string, look: () => Promise<Finding> | Finding, more: Partial<Check> = {}): Check => ({
  name,
  guide: "monitoring.md",
  look: async () => look(),
  ...more,
});
const fine = (): Finding => ok("Fine.");
const never = (): Promise<never> => new Promise(() => undefined);

it("reports all checks in their order, with the worst outcome", async () => {
  const checks = [
    check("b", async () => (await sleep(20), fine())),
    check("a", () => warning("Old.", "Replace it.")),
    check("c", fine, { needs: "b" }),
  ];
  const { outcome, checks: done } = await runChecks(checks, { log });
  expect(outcome).toBe("warning");
  expect(done.map(({ ms, ...each }) => [each, typeof ms])).toEqual([
    [
      { name: "b", guide: "docs/guides/monitoring.md", outcome: "ok", found: "Fine.", advice: null },
      "number",
    ],
    [
      {
        name: "a",
        guide: "docs/guides/monitoring.md",
        outcome: "warning",
        found: "Old.",
        advice: "Replace it.",
      },
      "number",
    ],
    [
      { name: "c", guide: "docs/guides/monitoring.md", outcome: "ok", found: "Fine.", advice: null },
      "number",
    ],
  ]);
});

it("makes a problem of a check that fails, and of one that hangs, and makes the others", async () => {
  const secret = (): never => {
    throw new Error("password=hunter2 at /var/lib");
  };
  const { outcome, checks } = await runChecks(
    [check("bad", secret), check("slow", never), check("good", fine)],
    {
      log,
      timeoutMs: 30,
    },
  );
  expect(outcome).toBe("problem");
  expect(checks.map((each) => each.outcome)).toEqual(["problem", "problem", "ok"]);
  expect(checks[0]?.found).toBe("The check itself failed.");
  expect(checks[1]?.found).toBe("The check had not ended after 0.03 s.");
  expect(JSON.stringify(checks)).not.toContain("hunter2");
});

it("says why a check failed where that may be shown", async () => {
  const checks = [
    check("bad", () => {
      throw new Error("no such table");
    }),
  ];
  const { checks: done } = await runChecks(checks, { log, reasonOf: ({ message }: any) => message });
  expect(done[0]?.found).toBe("The check itself failed: no such table");
});

it("gives a check its own time, and tells it when that is over", async () => {
  let isAborted = false;
  const patient = check("patient", fine, {
    timeoutMs: 200,
    look: async (signal) => {
      signal.addEventListener("abort", () => (isAborted = true));
      await sleep(60);
      return fine();
    },
  });
  const stuck = check("stuck", fine, { look: (signal) => sleep(10_000, fine(), { signal }) });
  const { checks } = await runChecks([patient, stuck], { log, timeoutMs: 30 });
  expect(checks.map((each) => each.outcome)).toEqual(["ok", "problem"]);
  await expect.poll(() => isAborted).toBe(true);
});

it("skips what needs a check with a problem, and only that", async () => {
  const all = [
    check("reader", () => problem("Never.", "Never."), { needs: "database" }),
    check("database", () => problem("Gone.", "Bring it back.")),
    check("other", fine, { needs: "governance" }),
    check("governance", () => warning("Slow.", "Bring it nearer.")),
  ];
  const { checks } = await runChecks(all, { log });
  expect(checks.map((each) => each.outcome)).toEqual(["skipped", "problem", "ok", "warning"]);
  expect(checks[0]?.found).toContain('the check "database"');
});

it("makes a few checks at a time", async () => {
  let now = 0;
  let most = 0;
  const counting = async (): Promise<Finding> => {
    most = Math.max(most, (now += 1));
    await sleep(5);
    now -= 1;
    return fine();
  };
  const all = Array.from({ length: 30 }, (_, index) => check(`check ${index}`, counting));
  expect((await runChecks(all, { log })).checks).toHaveLength(30);
  expect(most).toBe(6);
});

it("makes one pass for all who ask meanwhile, and another one afterwards", async () => {
  let passes = 0;
  const doctor = createDoctor({
    checks: async () => [check("a", () => ((passes += 1), fine()))],
    log,
    now: () => new Date(0),
    version: "1",
  });
  const [one, other] = await Promise.all([doctor(), doctor()]);
  expect([one === other, passes]).toEqual([true, 1]);
  await doctor();
  expect(passes).toBe(2);
});
