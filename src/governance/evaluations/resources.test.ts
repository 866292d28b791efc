import { describe, expect, it } from "vitest";
import { resourcesOfUnit } from "./resources.ts";

const own = { infrastructureTemplateId: "urn:template" };
const unit = {
  id: "urn:unit:harbour",
  kind: "dataproduct",
  components: [
    {
      id: 4711,
      name: 12,
      kind: "storage",
      ...own,
      components: [
        { name: "Deck", kind: "workload", ...own, components: [{ name: 7, kind: "outputport", ...own }] },
        { id: 99, name: "cargo", kind: "storage" },
      ],
    },
    { id: "urn:unit:harbour:crane", name: "crane", ...own },
  ],
};

const idsOf = (componentIds?: string[]): string[] =>
  resourcesOfUnit({ descriptor: unit, environment: "development", componentIds }).map(({ id }) => id);

describe("the resources of a unit", () => {
  it("are components of every level with the ids that the coordinator gives them", () => {
    expect(idsOf()).toEqual([
      "urn:unit:harbour",
      "4711",
      "4711:Deck",
      "4711:Deck:7",
      "99",
      "urn:unit:harbour:crane",
    ]);
  });

  it("are the components that are asked for, with the parts that have no call of their own", () => {
    expect(idsOf(["4711:DECK:7"])).toEqual(["urn:unit:harbour", "4711:Deck:7"]);
    expect(idsOf(["4711"])).toEqual(["urn:unit:harbour", "4711", "99"]);
    expect(idsOf([])).toEqual(["urn:unit:harbour"]);
  });

  it("have names and types that are numbers as text, and what was deployed under the same id", () => {
    const previous = structuredClone(unit);
    const resources = resourcesOfUnit({ descriptor: unit, previous, environment: "development" });
    expect(resources.map(({ displayName, resourceType }) => [displayName, resourceType])).toEqual([
      ["urn:unit:harbour", "dataproduct"],
      ["12", "storage"],
      ["Deck", "workload"],
      ["7", "outputport"],
      ["cargo", "storage"],
      ["crane", "component"],
    ]);
    expect(resources.map(({ original }) => (original as { name?: unknown }).name)).toEqual([
      undefined,
      12,
      "Deck",
      7,
      "cargo",
      "crane",
    ]);
  });
});
