import { expect, it } from "vitest";
import type { Pick } from "../split-schema.ts";
import { filtersOf, foundBy, typedReference } from "./entity-filter.ts";

const pick = (some: Partial<Pick>): Pick => ({
  kinds: [],
  filters: [],
  defaultKind: null,
  allowsOthers: true,
  hosts: [],
  owners: [],
  organizations: [],
  projects: [],
  repositories: [],
  ...some,
});
const ada = { ref: "user:default/ada", groups: ["group:default/a"] };

it.each([
  ["EntityPicker", pick({}), []],
  ["OwnerPicker", pick({}), ["kind=Group,kind=User"]],
  ["EntityPicker", pick({ filters: [{ kind: "System", "spec.type": "x" }] }), ["kind=System,spec.type=x"]],
  [
    "EntityPicker",
    pick({ kinds: ["System"], filters: [{ "spec.type": { exists: true } }] }),
    ["kind=System,spec.type"],
  ],
  ["EntityPicker", pick({ filters: [{ kind: ["A", "B"] }, { kind: "C" }] }), ["kind=A,kind=B", "kind=C"]],
  ["EntityPicker", pick({ filters: [{ "metadata.name": "a,kind=b" }] }), []],
  [
    "OwnedEntityPicker",
    pick({ kinds: ["System"] }),
    ["kind=System,relations.ownedBy=user:default/ada,relations.ownedBy=group:default/a"],
  ],
] as const)("%s asks the catalogue", (widget, options, filters) => {
  expect(filtersOf(widget, options, ada)).toEqual(filters);
});

it("finds groups by name and title, by name", () => {
  const groups = ["zebra", "fleet", "Fleet-night"].map((name) => ({
    kind: "Group",
    metadata: { name, ...(name === "zebra" && { title: "The FLEET of stripes" }) },
  }));
  const names = (term: string): string[] => foundBy(term, groups).map(({ metadata }) => metadata.name);
  expect(names("")).toEqual(["Fleet-night", "fleet", "zebra"]);
  expect(names("fleet")).toEqual(["Fleet-night", "fleet", "zebra"]);
  expect(names("night")).toEqual(["Fleet-night"]);
});

it.each([
  ["system:default/a", "system:default/a"],
  ["group:a", "group:a"],
  ["urn:x:y", "urn:x:y"],
  ["a", "domain:default/a"],
  ["a b", null],
])("%s may be typed", (typed, reference) => {
  expect(typedReference(typed, pick({ kinds: ["Domain"] }))).toBe(reference);
});
