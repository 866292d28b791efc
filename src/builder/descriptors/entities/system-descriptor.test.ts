import { describe, expect, it } from "vitest";
import type { Entity } from "./classify.ts";
import { describeSystem } from "./system-descriptor.ts";
import type { YamlMap } from "../../catalogue/entities/yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

const context = {
  environment: "production",
  namespace: "dmb",
  taxonomy: {
    systemTypes: {
      "data-mart": { resourceType: "dataproduct-mart" },
      report: { taxonomy: "reports", shoppable: true },
      "team/report": { resourceType: "team-report" },
    },
    componentTypes: {},
  },
};

const system = (spec: YamlMap, metadata: YamlMap = {}): Entity => ({
  kind: "system",
  entityName: "fleet.positions.0",
  name: { domain: "fleet", system: "positions", major: "0" },
  metadata: { name: "fleet.positions.0", ...metadata },
  spec,
  mesh: isRecord(spec["mesh"]) ? spec["mesh"] : {},
});

describe("describeSystem", () => {
  it("puts all of spec.mesh at the root and the computed fields over it", () => {
    const entity = system(
      {
        type: "dataproduct",
        owner: "group:default/fleet",
        domain: "domain:default/fleet",
        mesh: {
          name: "Fleet positions",
          version: "0.1.0",
          id: "something else",
          environment: "elsewhere",
          dataProductOwner: "user:default/ada.lovelace",
          dataProductOwnerDisplayName: "Ada Lovelace",
          developmentGroup: "group:default/builders",
          informationSLA: "2BD",
          shoppable: true,
          taxonomy: "taxonomy:default/main",
          billing: {},
          tags: [],
          specific: { database: "fleet" },
          components: [{ id: "ignored" }],
        },
      },
      { description: "Where the fleet is", annotations: { a: "b" } },
    );
    expect(describeSystem(entity, context)).toEqual({
      name: "Fleet positions",
      version: "0.1.0",
      developmentGroup: "group:default/builders",
      informationSLA: "2BD",
      billing: {},
      tags: [],
      specific: { database: "fleet" },
      environment: "production",
      id: "urn:dmb:dp:fleet:positions:0",
      projectKind: "system",
      kind: "dataproduct",
      domain: "fleet",
      domainId: "urn:dmb:dmn:fleet",
      description: "Where the fleet is",
      projectOwner: "user:default/ada.lovelace",
      projectOwnerDisplayName: "Ada Lovelace",
      dataProductOwner: "user:default/ada.lovelace",
      dataProductOwnerDisplayName: "Ada Lovelace",
      devGroup: "group:default/builders",
      ownerGroup: "group:default/fleet",
      shoppable: true,
      taxonomy: "taxonomy:default/main",
      metadata: { name: "fleet.positions.0", description: "Where the fleet is", annotations: { a: "b" } },
    });
  });

  it("makes do with a name alone", () => {
    expect(describeSystem(system({}), context)).toEqual({
      name: "positions",
      version: "0.0.0",
      environment: "production",
      id: "urn:dmb:dp:fleet:positions:0",
      projectKind: "system",
      kind: "dataproduct",
      domain: "fleet",
      domainId: "urn:dmb:dmn:fleet",
      metadata: { name: "fleet.positions.0" },
    });
  });

  it.each<[string, YamlMap, YamlMap]>([
    ["the system type's resource type", { type: "data-mart" }, { kind: "dataproduct-mart" }],
    ["the same by reference", { type: "systemtype:default/data-mart" }, { kind: "dataproduct-mart" }],
    ["else spec.type", { type: "report" }, { kind: "report" }],
    [
      "the type that it is an instance of",
      { type: "x", instanceOf: "systemtype:default/data-mart" },
      { kind: "dataproduct-mart" },
    ],
    ["the type of another namespace", { type: "SystemType:team/Report" }, { kind: "team-report" }],
    [
      "the taxonomy and the rest of what the type says",
      { type: "report" },
      { taxonomy: { id: "urn:dmb:taxonomy:reports", name: "reports" }, shoppable: true },
    ],
    [
      "not where the system says it",
      { type: "report", shoppable: false, mesh: { taxonomy: "own" } },
      { taxonomy: "own", shoppable: false },
    ],
    [
      "devGroup comes before developmentGroup",
      { owner: "group:x", mesh: { devGroup: "group:a", developmentGroup: "group:b" } },
      { devGroup: "group:a", developmentGroup: "group:b" },
    ],
    ["an inherited name is no resource type", { type: "toString" }, { kind: "toString" }],
    [
      "projectOwner fills dataProductOwner",
      { mesh: { projectOwner: "user:a" } },
      { projectOwner: "user:a", dataProductOwner: "user:a" },
    ],
    [
      "dataProductOwner fills projectOwner",
      { mesh: { dataProductOwner: "user:b" } },
      { projectOwner: "user:b", dataProductOwner: "user:b" },
    ],
    [
      "both stay when both are given",
      { mesh: { projectOwner: "user:a", dataProductOwner: "user:b" } },
      { projectOwner: "user:a", dataProductOwner: "user:b" },
    ],
    [
      "a display name fills the other",
      { mesh: { projectOwner: "user:a", projectOwnerDisplayName: "A" } },
      { dataProductOwnerDisplayName: "A" },
    ],
    [
      "the display name is else the owner's name",
      { mesh: { projectOwner: "user:default/a.b" } },
      { projectOwnerDisplayName: "a.b" },
    ],
    [
      "spec.owner is the last resort of every owner",
      { owner: "group:x" },
      { projectOwner: "group:x", dataProductOwner: "group:x", devGroup: "group:x", ownerGroup: "group:x" },
    ],
    ["a plain domain", { domain: "finance" }, { domain: "finance", domainId: "urn:dmb:dmn:finance" }],
    ["the description of mesh comes first", { mesh: { description: "m" } }, { description: "m" }],
    ["a version that YAML read as a number", { mesh: { version: 1.5 } }, { version: "1.5" }],
  ])("%s", (_case, spec, expected) => {
    expect(describeSystem(system(spec), context)).toMatchObject(expected);
  });
});
