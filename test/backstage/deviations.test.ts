/** The comparison itself needs a real Backstage (`npm run test:backstage`); this keeps what is said about it true. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deviations } from "./deviations.ts";
import { expressions, nested } from "./expressions.ts";
import { stepCases } from "./steps.ts";

const names = [...expressions, ...nested].map(([name]) => name).concat(stepCases.map(({ name }) => name));

it("the guide has every deviation in the same words", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/guides/backstage.md"), "utf8");
  const items = guide
    .split("\n- ")
    .slice(1)
    .map((item) => item.split("\n\n")[0]?.replaceAll("`", "").replaceAll(/\s+/g, " ").trim());
  expect(items).toEqual(deviations.map(({ reason }) => reason));
});

it("every deviation names cases that there are", () => {
  const listed = deviations.flatMap(({ cases }) => Object.values(cases).flat());
  expect(listed.filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

it("there is enough to compare", () => {
  expect(expressions.length).toBeGreaterThan(100);
  expect(stepCases.length).toBeGreaterThan(30);
});
