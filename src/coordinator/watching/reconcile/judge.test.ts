import { describe, expect, it } from "vitest";
import { reasonToAsk, type Judged } from "./judge.ts";

const now = new Date("2026-11-23T12:00:00Z");
const limits = { perUnitMs: 24 * 3_600_000, stopAfterFailures: 3 };
const redeploy = { componentId: "a:B", action: "REDEPLOY", reason: "REQUESTED" } as const;
const untouched = { componentId: "a:c", action: "NONE", reason: "PRESERVED" } as const;
const judged: Judged = {
  components: ["a:b"],
  operations: [redeploy, untouched],
  isStoppedByPolicies: false,
  ownership: null,
  lastStart: null,
  failures: 0,
};

describe("whether somebody is asked", () => {
  it.each<[string, Partial<Judged>, string | null]>([
    ["not where nothing speaks against it", {}, null],
    ["not where an owner may", { ownership: { verdict: "allow" } }, null],
    [
      "where no owner may",
      { ownership: { verdict: "deny", rule: "frozen", whoMay: [] } },
      'The rule "frozen" lets no owner start it.',
    ],
    [
      "where an owner needs an approval",
      { ownership: { verdict: "approval", rule: "deployments", approvers: [] } },
      'The rule "deployments" asks for an approval.',
    ],
    ["where policies stop it", { isStoppedByPolicies: true }, "Policies would stop the plan."],
    [
      "where another component is touched",
      { operations: [redeploy, { ...untouched, action: "REDEPLOY", reason: "REQUESTED" }] },
      "The plan would change more than what has drifted.",
    ],
    [
      "where the descriptor is another by now",
      { operations: [{ ...redeploy, reason: "DESCRIPTOR_CHANGED" }] },
      "The plan would change more than what has drifted.",
    ],
    [
      "where it was repaired within the time",
      { lastStart: new Date("2026-11-22T12:00:01Z") },
      "The unit was repaired by itself at 2026-11-22T12:00:01.000Z, and has drifted again.",
    ],
    ["not where that is over", { lastStart: new Date("2026-11-22T12:00:00Z") }, null],
    ["not after fewer failures", { failures: 2 }, null],
    ["after that many", { failures: 3 }, expect.stringMatching(/^The last 3 repairs/)],
  ])("%s", (_case, more, expected) => {
    expect(reasonToAsk({ ...judged, ...more }, limits, now)).toEqual(expected);
  });
});
