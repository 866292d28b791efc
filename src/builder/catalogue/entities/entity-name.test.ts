import { expect, it } from "vitest";
import { componentIdOf, nameOfRef, parseEntityName, systemNameOf, urnOf } from "./entity-name.ts";

const fleet = { domain: "fleet", system: "positions", major: "0" };

it.each([
  ["fleet.positions.0", fleet],
  ["fleet.positions.0.storage", { ...fleet, component: "storage" }],
  ["fleet.positions", null],
  ["fleet.positions.0.storage.extra", null],
  ["fleet..0", null],
  ["fleet. .0", null],
  ["", null],
])("parseEntityName(%j)", (name, expected) => {
  expect(parseEntityName(name)).toEqual(expected);
});

it("makes the URNs of systems and components", () => {
  expect(urnOf(fleet, "dmb")).toBe("urn:dmb:dp:fleet:positions:0");
  expect(urnOf({ ...fleet, component: "storage" }, "acme")).toBe("urn:acme:cmp:fleet:positions:0:storage");
  expect(systemNameOf({ ...fleet, component: "storage" })).toBe("fleet.positions.0");
});

it.each([
  ["domain:default/finance", "finance"],
  ["domain:finance", "finance"],
  ["finance", "finance"],
  ["default/finance", "finance"],
])("nameOfRef(%j) is %j", (ref, expected) => {
  expect(nameOfRef(ref)).toBe(expected);
});

it.each([
  ["an id", "urn:dmb:cmp:fleet:positions:0:storage", "urn:dmb:cmp:fleet:positions:0:storage"],
  [
    "an entity reference",
    "component:default/fleet.positions.0.storage",
    "urn:dmb:cmp:fleet:positions:0:storage",
  ],
  ["an entity name", "fleet.positions.0.storage", "urn:dmb:cmp:fleet:positions:0:storage"],
  ["the last part of a sibling", "storage", "urn:dmb:cmp:fleet:positions:0:storage"],
  ["a component of another system", "component:fleet.routes.1.plan", "urn:dmb:cmp:fleet:routes:1:plan"],
  ["something else", "fleet.positions.0", "fleet.positions.0"],
])("componentIdOf: %s", (_case, reference, expected) => {
  expect(componentIdOf(reference, { ...fleet, component: "view" }, "dmb")).toBe(expected);
});
