import { expect, it } from "vitest";
import { isConsumable } from "./new-plan.ts";

const types = {
  outputport: { consumable: true },
  "default/outputport": { consumable: true },
  workload: { consumable: false },
  storage: {},
  archive: { consumable: true },
};

it.each([
  ["its own word first", { kind: "outputport", consumable: false }, false],
  ["its own word first, for a workload too", { kind: "workload", consumable: true }, true],
  ["its own word as text", { kind: "outputport", consumable: "False" }, false],
  ["no word in null", { kind: "outputport", consumable: null }, true],
  ["no word in what is neither", { kind: "workload", consumable: "perhaps" }, false],
  [
    "the type that it is an instance of",
    { kind: "workload", instanceOf: "componenttype:default/outputport" },
    true,
  ],
  ["the type by its name alone", { kind: "storage", instanceOf: "archive" }, true],
  ["the type that has its kind", { kind: "Archive" }, true],
  ["a type that does not say", { kind: "storage" }, false],
  ["an output port without a type", { kind: "OutputPort" }, true],
  ["any other kind without a type", { kind: "dashboard" }, false],
  ["a kind that every object has", { kind: "constructor" }, false],
  ["a component without a kind", {}, false],
])("%s", (_, component, expected) => {
  expect(isConsumable(component, types)).toBe(expected);
});

it("output ports alone where there is no taxonomy", () => {
  expect([isConsumable({ kind: "outputport" }, {}), isConsumable({ kind: "workload" }, {})]).toEqual([
    true,
    false,
  ]);
});
