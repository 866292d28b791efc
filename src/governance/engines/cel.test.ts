/** What an expression may name by what it is for, and what a metric answers. */
import { describe, expect, it } from "vitest";
import { checkAssertion, checkSelection, compile, evaluateMetric } from "./cel.ts";
import type { EngineInput, Sight } from "./engine.ts";

const alone: Sight = { seesUnit: false, compares: false };
const input: EngineInput = {
  resource: {},
  environment: "development",
  resourceType: "storage",
  resourceId: "x",
};

describe("an expression", () => {
  it.each<[string, Sight, string, string]>([
    ["unit.domain == 'sea'", alone, "unit", "It sees unit where context is global."],
    ["original == current", alone, "original", "where strategy is previous_vs_current."],
    ["current.a == 1.0", { ...alone, seesUnit: true }, "current", "It sees resource, environment,"],
  ])("%s is refused where %o", (expression, sight, name, solution) => {
    expect(checkAssertion("policy", expression, sight)).toMatchObject([
      {
        path: "spec.assert",
        message: `The expression can't be evaluated: There is no variable ${name}.`,
        line: 1,
        column: 1,
        solution: expect.stringContaining(solution),
      },
    ]);
  });

  it.each<[string, Sight]>([
    ["unit.domain == 'sea'", { seesUnit: true, compares: false }],
    ["original == current", { seesUnit: false, compares: true }],
    ["resource.a == environment && resourceType != resourceId", alone],
  ])("%s is taken where %o", (expression, sight) => {
    expect(checkAssertion("policy", expression, sight)).toEqual([]);
  });

  it.each(["size(unit) > 1", "original != null", "current != null"])(
    "%s that selects is refused, since it sees the resource alone",
    (expression) => {
      expect(checkSelection(expression)).toMatchObject([
        { path: "select", message: expect.stringContaining("There is no variable") },
      ]);
    },
  );

  it("that was stored before is evaluated as it was", () => {
    expect(compile("unit == null && original == null && current == null")(input)).toBe(true);
  });
});

describe("a metric", () => {
  it.each([
    ["1.0 / 0.0", "The expression answered Infinity; a metric must be a finite number."],
    ["0.0 / 0.0", "The expression answered NaN; a metric must be a finite number."],
    ["'1'", "The expression answered a string; a metric must be a number."],
  ])("%s is broken, and says what it was", (expression, message) => {
    expect(evaluateMetric(compile(expression), input)).toEqual({ ok: false, reason: "broken", message });
  });

  it.each([
    ["1.5", 1.5],
    ["2", 2],
    ["3u", 3],
  ])("%s is a number", (expression, value) => {
    expect(evaluateMetric(compile(expression), input)).toEqual({ ok: true, value, errors: [] });
  });
});
