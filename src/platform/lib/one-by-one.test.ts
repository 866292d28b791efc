import { expect, it } from "vitest";
import { createOneByOne } from "./one-by-one.ts";

it("begins the next when the previous one has ended, also when it failed", async () => {
  const oneByOne = createOneByOne();
  const steps: string[] = [];
  const work = (name: string, fails = false) =>
    oneByOne(async () => {
      steps.push(`${name} begins`);
      await new Promise((next) => setImmediate(next));
      steps.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([work("a"), work("b", true), work("c")]);
  expect(results.map((each) => (each.status === "fulfilled" ? each.value : "failed"))).toEqual([
    "a",
    "failed",
    "c",
  ]);
  expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});
