import { expect, test } from "vitest";
import { warningsOf } from "./warnings.ts";

const of = (value?: string): string[] =>
  warningsOf(new Headers(value === undefined ? {} : { "x-plinth-warning": value }));

test("each sentence is one warning, whatever commas it has", () => {
  expect(of()).toEqual([]);
  expect(of("The archive holds 2 systems; s is used, Ignored: t.")).toEqual([
    "The archive holds 2 systems; s is used, Ignored: t.",
  ]);
  expect(of("Port a, B and C have no type. | The owner is unknown. | 3 more")).toEqual([
    "Port a, B and C have no type.",
    "The owner is unknown.",
    "3 more",
  ]);
});
