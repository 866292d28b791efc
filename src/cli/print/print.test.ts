import { describe, expect, test } from "vitest";
import { Failure } from "../../platform/errors/failure.ts";
import type { PlannedChange, ProvisioningPlan } from "../client/wire.ts";
import { stylesFor, paintOf } from "./colors.ts";
import { failureLines } from "./failure.ts";
import { isStoppedByPolicies, orderOf, planTable, summary } from "./plan-table.ts";
import { provisioned, provisioningLines } from "./provisioning-info.ts";
import { shortenIds } from "./short-ids.ts";
import { renderTable } from "./table.ts";
import { cut, cutMiddle, duration, oneLine, padStart, safeLines, widthOf } from "./text.ts";

const styles = stylesFor(false);

describe("text", () => {
  test.each([
    ["plain", 5],
    ["\u001B[32mgreen\u001B[39m", 5],
    ["日本", 4],
    ["e\u0301", 1],
    ["🚚", 2],
    ["", 0],
  ])("%j is %i cells wide", (text, width) => expect(widthOf(text)).toBe(width));

  test.each([
    ["short", 9, "short"],
    ["a longer one", 9, "a longer…"],
    ["日本語", 5, "日本…"],
    ["x", 0, ""],
  ])("cuts %j to %i cells", (text, width, shown) => expect(cut(text, width)).toBe(shown));

  test.each([
    ["urn:dmb:cmp:d:s:0:store", 30, "urn:dmb:cmp:d:s:0:store"],
    ["urn:dmb:cmp:d:s:0:store", 15, "urn:dmb…0:store"],
    ["urn:dmb:cmp:d:s:0:store", 8, "urn:…ore"],
    ["日本語日本語", 7, "日…本語"],
    ["x", 0, ""],
    ["xyz", 1, "…"],
  ])("cuts the id %j to %i cells in the middle", (text, width, shown) => {
    expect(cutMiddle(text, width)).toBe(shown);
    expect(widthOf(shown)).toBeLessThanOrEqual(Math.max(width, 0));
  });

  test.each([
    [0, "0.00 s"],
    [424, "0.42 s"],
    [12_340, "12.3 s"],
    [99_960, "1 min 40 s"],
    [185_000, "3 min 05 s"],
    [-5, "0.00 s"],
  ])("%i ms is %s", (ms, shown) => expect(duration(ms)).toBe(shown));

  test("what a server says cannot steer the terminal", () => {
    expect(oneLine("a\u001B[2Jb\r\nc\u0007")).toBe("a [2Jb c");
    expect(safeLines("one\u001B[1A\n\ttwo\n")).toEqual(["one[1A", "  two"]);
  });

  test("pads to the right place", () => expect(padStart("日", 4)).toBe("  日"));
});

describe("tables", () => {
  test("columns are as wide as their content, numbers to the right", () => {
    const columns = [{ title: "NAME" }, { title: "N", align: "right" as const }];
    expect(
      renderTable(
        columns,
        [
          ["a", "1"],
          ["longer", "23"],
        ],
        { indent: 2 },
      ),
    ).toEqual(["  NAME     N", "  a        1", "  longer  23"]);
  });

  test("the columns that may, give way to a narrow terminal; the widest first", () => {
    const columns = [{ title: "ID" }, { title: "WHY", shrinks: true }];
    const lines = renderTable(columns, [["0123456789", "a reason that is much too long"]], { width: 24 });
    expect(lines[1]).toBe("0123456789  a reason th…");
    expect(Math.max(...lines.map((line) => widthOf(line)))).toBe(24);
  });

  test("ids give way in the middle, so that their ends can be told apart", () => {
    const columns = [{ title: "UNIT", shrinks: "middle" as const }, { title: "N" }];
    const rows = [
      ["urn:dmb:dp:mobility:fleet:0", "1"],
      ["urn:dmb:dp:mobility:fleet:1", "2"],
    ];
    expect(renderTable(columns, rows, { width: 18 }).slice(1)).toEqual([
      "urn:dmb…fleet:0  1",
      "urn:dmb…fleet:1  2",
    ]);
  });

  test("paint does not count, and dollar signs are no patterns", () => {
    const paint = (text: string): string => `\u001B[1m${text}\u001B[22m`;
    const [, row] = renderTable([{ title: "A" }, { title: "B" }], [[{ text: "a$$", paint }, "x"]]);
    expect(row).toBe("\u001B[1ma$$\u001B[22m  x");
  });
});

test("colours only where they are wanted", () => {
  expect(paintOf(stylesFor(true), "FAILED")("x")).toBe("\u001B[31mx\u001B[39m");
  expect(paintOf(stylesFor(true), "NOT_DEPLOYED")("x")).toBe("\u001B[2mx\u001B[22m");
  expect(paintOf(styles, "FAILED")("x")).toBe("x");
});

describe("ids", () => {
  test.each([
    [["urn:a:b:one", "urn:a:b:two"], "urn:a:b:"],
    [["urn:a:b:one", "urn:a:b:one"], "urn:a:b:"],
    [["urn:a:b", "urn:a:b:part"], "urn:a:"],
    [["urn:a:utm:import:0.0.0"], "urn:a:utm:"],
    [["urn:a:b:import"], "urn:a:b:"],
    [["mobility.fleet.0.a", "mobility.fleet.0.ab"], "mobility.fleet.0."],
    [["S", "W"], ""],
    [["S"], ""],
    [[], ""],
  ])("%j share %j", (ids, prefix) => {
    const shortened = shortenIds(ids);
    expect(shortened.prefix).toBe(prefix);
    expect(ids.map((id) => prefix + shortened.short(id))).toEqual(ids);
    expect(ids.every((id) => shortened.short(id) !== "")).toBe(true);
  });
});

const change = (
  id: string,
  action: PlannedChange["action"],
  more: Partial<PlannedChange> = {},
): PlannedChange => ({
  componentId: id,
  targetStatus: action === "UNDEPLOY" ? "NOT_DEPLOYED" : "DEPLOYED",
  action,
  reason: "REQUESTED",
  additionalReasons: [],
  dependencyOf: [],
  dependantOn: [],
  ...more,
});
const planOf = (operations: PlannedChange[], more: Partial<ProvisioningPlan> = {}): ProvisioningPlan => ({
  outcome: "OK",
  operations,
  conflictingOperations: [],
  ...more,
});

describe("plans", () => {
  test("a row for each component: action, reasons, after which", () => {
    const plan = planOf([
      change("u:S", "NONE", { reason: "UNCHANGED", dependencyOf: ["u:W"] }),
      change("u:W", "REDEPLOY", { additionalReasons: ["DEPENDENCY_REDEPLOYED"], dependantOn: ["u:S"] }),
      change("u:O", "DEPLOY", { dependantOn: ["u:W"] }),
    ]);
    expect(planTable(plan, { styles })).toEqual([
      "COMPONENT  ACTION    REASON                            AFTER",
      "S          NONE      UNCHANGED",
      "W          REDEPLOY  REQUESTED, DEPENDENCY_REDEPLOYED",
      "O          DEPLOY    REQUESTED                         W",
      "Ids begin with u:  1 to deploy, 1 to redeploy, 1 stays as it is.",
    ]);
  });

  test("order goes through what stays, and turns round for undeployments", () => {
    const order = orderOf([
      change("S", "DEPLOY", { dependencyOf: ["W"] }),
      change("W", "NONE", { dependantOn: ["S"], dependencyOf: ["O"] }),
      change("O", "DEPLOY", { dependantOn: ["W"] }),
      change("A", "UNDEPLOY", { dependencyOf: ["B"] }),
      change("B", "UNDEPLOY", { dependantOn: ["A"] }),
    ]);
    expect(Object.fromEntries(order)).toEqual({ S: [], O: ["S"], A: ["B"], B: [] });
  });

  test("contradictions are reported", () => {
    const conflict = [change("W", "UNDEPLOY"), change("O", "DEPLOY")];
    const lines = planTable(planOf(conflict, { outcome: "KO", conflictingOperations: conflict }), {
      styles,
    });
    expect(lines.slice(-3)).toEqual([
      "This cannot be done: 2 components contradict each other.",
      "  W would end NOT_DEPLOYED (REQUESTED)",
      "  O would end DEPLOYED (REQUESTED)",
    ]);
  });

  test("what the policies say is below, with what to do about it", () => {
    const phase = (componentId: string, status: "COMPLETED" | "FAILED", problem: string) => ({
      componentId,
      status,
      errors: {
        errors: [problem],
        code: "COORD_POLICY_VIOLATED",
        userMessage: problem,
        moreInfo: { problems: [problem], solutions: ["Mend it."] },
      },
    });
    const policyResults = [
      phase("u", "FAILED", 'Policy "Names" is violated.'),
      phase("W", "COMPLETED", 'Policy "Costs" is violated.'),
    ];
    const plan = planOf([change("W", "DEPLOY")], { policyResults });
    expect(planTable(plan, { styles }).slice(-6)).toEqual([
      "Policies would stop this because of u:",
      '  Policy "Names" is violated.',
      "  → Mend it.",
      "Policies warn about W:",
      '  Policy "Costs" is violated.',
      "  → Mend it.",
    ]);
    expect([isStoppedByPolicies(plan), isStoppedByPolicies(planOf([]))]).toEqual([true, false]);
  });

  test("nothing is nothing", () => expect(summary(planOf([]))).toBe("Nothing is planned."));
});

test("provisioning information in both forms", () => {
  const info = { view: "v", host: { type: "string", label: "Host", value: "h" }, rows: 3 };
  expect(provisioningLines(info)).toEqual(["view v", "Host h", "rows 3"]);
  expect([
    provisioned(info, "view"),
    provisioned(info, "host"),
    provisioned(info, "rows"),
    provisioned(info, "x"),
  ]).toEqual(["v", "h", "3", undefined]);
  expect(provisioningLines(null)).toEqual([]);
});

test("a failure: what, where, what to do; never a stack", () => {
  const failure = new Failure({
    kind: "invalid",
    code: "COORD_INVALID_DESCRIPTOR",
    message: "2 problems found.",
    problems: [
      { where: "/a", message: "is missing", solution: "Add it." },
      { where: "", message: "is odd" },
    ],
    solutions: ["Add it.", "Try again."],
    cause: new Error("secret"),
  });
  expect(failureLines(failure, styles)).toEqual([
    "error: 2 problems found. (COORD_INVALID_DESCRIPTOR)",
    "  /a  is missing",
    "      Add it.",
    "  is odd",
    "  → Try again.",
  ]);
});
