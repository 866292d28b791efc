import { PassThrough } from "node:stream";
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

test("an output whose reader is slow takes more when it has been read", async () => {
  const pipe = new PassThrough({ highWaterMark: 4 });
  const output = toOutput(pipe, {});
  await output.drained();
  output.write("more than four");
  let isDrained = false;
  const drained = output.drained().then(() => (isDrained = true));
  await new Promise((done) => setImmediate(done));
  expect(isDrained).toBe(false);
  pipe.resume();
  await drained;
});
