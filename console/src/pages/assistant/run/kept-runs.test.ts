import { expect, test } from "vitest";
import { keepRuns } from "./kept-runs.ts";

const nothing = (): void => undefined;

test("runs that are shown stay, however many there are", () => {
  const runOf = keepRuns(2);
  const shown = ["1", "2", "3", "4", "5"].map((runId) => {
    const run = runOf(runId);
    run.subscribe(nothing);
    return run;
  });
  expect(["1", "2", "3", "4", "5"].map(runOf)).toEqual(shown);
  expect(runOf("1")).toBe(shown[0]);
});

test("of those that are not shown any more the last ones are kept", () => {
  const runOf = keepRuns(2);
  const runs = ["1", "2", "3"].map(runOf);
  const stops = runs.map(({ subscribe }) => subscribe(nothing));
  const stopSecond = runOf("1").subscribe(nothing);
  for (const stop of stops) stop();
  expect(["1", "2", "3"].map((runId, index) => runOf(runId) === runs[index])).toEqual([true, true, true]);
  stopSecond();
  expect(runOf("2") === runs[1], "left first").toBe(false);
  expect(runOf("1")).toBe(runs[0]);
  expect(runOf("3")).toBe(runs[2]);
});

test("one that was forgotten between being rendered and being shown is that of all who ask for it", () => {
  const runOf = keepRuns(0);
  const rendered = runOf("1");
  runOf("1").subscribe(nothing)();
  rendered.subscribe(nothing);
  expect(runOf("1")).toBe(rendered);
});
