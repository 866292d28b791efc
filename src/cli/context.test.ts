import { expect, test } from "vitest";
import { toOutput } from "./context.ts";

test.each([
  ["a terminal", true, {}, true],
  ["a terminal, but NO_COLOR", true, { NO_COLOR: "1" }, false],
  ["a terminal, and an empty NO_COLOR", true, { NO_COLOR: "" }, true],
  ["a dumb terminal", true, { TERM: "dumb" }, false],
  ["a file", false, {}, false],
])("colours on %s", (...row) => {
  const [, isTTY, env, isColored] = row;
  const output = toOutput({ write: () => true, isTTY, columns: 90, rows: 30 }, env);
  expect(output.styles.bad("x") !== "x").toBe(isColored);
  expect(output.size()).toEqual(isTTY ? { columns: 90, rows: 30 } : undefined);
});
