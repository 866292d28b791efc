import { describe, expect, test } from "vitest";
import { editDistance, nearest } from "../hints.ts";
import { substitute } from "./substitute.ts";

describe("substitute", () => {
  const env = { A: "a", B: "b", EMPTY: "", NESTED: "${A}", CLOSE: "}" };
  test.each([
    ["plain", "plain"],
    ["${A}", "a"],
    ["x${A}y${B}z", "xaybz"],
    ["${NO:-fallback}", "fallback"],
    ["${EMPTY:-fallback}", "fallback"],
    ["${NO:-}", ""],
    ["${NO:-${B}}", "b"],
    ["${NO:-${NOPE:-${A}-${B}}}", "a-b"],
    ["${A:-${NOPE}}", "a"],
    ["${NO:-http://h:1/?q={x}", "http://h:1/?q={x"],
    ["$${A}", "${A}"],
    ["$A $ {A} }", "$A $ {A} }"],
    ["${NESTED}", "${A}"],
    ["${CLOSE}", "}"],
    ["${__proto__:-safe}", "safe"],
    ["${toString:-safe}", "safe"],
  ])("%s", (text, expected) => {
    expect(substitute(text, env)).toEqual({ text: expected, problems: [] });
  });

  test.each([
    ["${NO}", "needs the environment variable NO, which is not set"],
    ["${EMPTY}", "needs the environment variable EMPTY, which is not set"],
    ["${NO:-${NOPE}}", "needs the environment variable NOPE, which is not set"],
    ["${}", "has a ${…} without a variable name"],
    ["${1A}", "has a ${…} without a variable name"],
    ["${A", "has a ${…} that is neither ${NAME} nor ${NAME:-fallback}"],
    ["${A-b}", "has a ${…} that is neither ${NAME} nor ${NAME:-fallback}"],
    ["${NO:-x", "has a ${…} without its closing brace"],
    ["${NO:-".repeat(20) + "x" + "}".repeat(20), "nests ${…} too deeply"],
  ])("%s is a problem", (text, problem) => {
    expect(substitute(text, env).problems).toContain(problem);
  });

  test("two missing variables are two problems, and a large result is refused", () => {
    expect(substitute("${X}${Y}", {}).problems).toHaveLength(2);
    expect(substitute("${L}${L}${L}", { L: "x".repeat(30_000) }).problems).toEqual([
      "becomes longer than 65536 characters",
    ]);
  });
});

test.each([
  ["", "", 0],
  ["a", "", 1],
  ["port", "prot", 1],
  ["kitten", "sitting", 3],
  ["abc", "abc", 0],
])("editDistance(%j, %j) is %i", (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});

test("nearest prefers the smaller distance and gives up on strangers", () => {
  expect(nearest("prot", ["host", "port"])).toBe("port");
  expect(nearest("banana", ["host", "port"])).toBeUndefined();
  expect(nearest("port", ["port"])).toBeUndefined();
});
