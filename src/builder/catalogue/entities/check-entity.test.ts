import { describe, expect, it } from "vitest";
import type { YamlValue } from "./yaml.ts";
import { checkEntity } from "./check-entity.ts";

const entity = (metadata: YamlValue, rest: Record<string, YamlValue> = {}): YamlValue => ({
  apiVersion: "plinth.io/v1",
  kind: "Domain",
  metadata,
  ...rest,
});
const pointers = (document: YamlValue): string[] => checkEntity(document).map(({ pointer }) => pointer);

describe("the envelope", () => {
  it.each<[string, boolean]>([
    ["a", true],
    ["A-b_c.d", true],
    ["a--b", true],
    ["finance.orders.0", true],
    ["a..b", false],
    ["-a", false],
    ["a.", false],
    ["a b", false],
    ["ä", false],
    ["", false],
    ["a".repeat(63), true],
    ["a".repeat(64), false],
  ])("takes the name %s: %s", (name, isSound) => {
    expect(pointers(entity({ name }))).toEqual(isSound ? [] : ["/metadata/name"]);
  });

  it.each<[string, boolean]>([
    ["v1", true],
    ["1", true],
    ["plinth.io/v1alpha1", true],
    ["a-b.c/v1-rc.2", true],
    [`${"a".repeat(189)}/${"b".repeat(63)}`, true],
    [`${"a".repeat(190)}/${"b".repeat(63)}`, false],
    ["v".repeat(253), true],
    ["v".repeat(254), false],
    ["", false],
    ["v1-", false],
    [".v1", false],
    ["a/", false],
    ["/v1", false],
    ["-a/v1", false],
    ["a-/v1", false],
    ["a/b/c", false],
    ["v 1", false],
  ])("takes the apiVersion %s: %s", (apiVersion, isSound) => {
    expect(pointers(entity({ name: "a" }, { apiVersion }))).toEqual(isSound ? [] : ["/apiVersion"]);
  });

  it.each<[string, boolean]>([
    [`${"a.".repeat(126)}a/${"b".repeat(63)}`, true],
    [`${"a.".repeat(127)}a/${"b".repeat(63)}`, false],
    [`${"a.".repeat(100_000)}/b`, false],
  ])("bounds the names of annotations", (name, isSound) => {
    expect(pointers(entity({ name: "a", annotations: { [name]: "b" } }))).toHaveLength(isSound ? 0 : 1);
  });

  it("takes long names of systems and components", () => {
    const name = `a.${"b".repeat(100)}.0`;
    expect(pointers({ ...(entity({ name }) as object), kind: "System" })).toEqual([]);
  });

  it.each<[YamlValue, string[]]>([
    ["text", [""]],
    [[], [""]],
    [{}, ["/apiVersion", "/kind", "/metadata"]],
    [entity({ name: "a", namespace: "b_c" }), ["/metadata/namespace"]],
    [
      entity({ name: "a", labels: { "a/b": "c", "-": "d", e: "not valid" } }),
      ["/metadata/labels/-", "/metadata/labels/e"],
    ],
    [
      entity({ name: "a", annotations: { "x.y/z": "any text: at all", "a/b/c": "d", n: 7 } }),
      ["/metadata/annotations/a~1b~1c", "/metadata/annotations/n"],
    ],
    [entity({ name: "a", tags: ["good", "c++", "Bad", 7] }), ["/metadata/tags/2", "/metadata/tags/3"]],
    [entity({ name: "a", title: 7, description: [] }), ["/metadata/title", "/metadata/description"]],
    [entity({ name: "a" }, { spec: "text" }), ["/spec"]],
    [{ ...(entity({ name: "a" }) as object), apiVersion: "a/b/c", kind: "9" }, ["/apiVersion", "/kind"]],
  ])("%j has problems at %j", (document, expected) => {
    expect(pointers(document)).toEqual(expected);
  });
});

it.each<[string, YamlValue, string[]]>([
  ["Component", { owner: "group:a", dependsOn: ["urn:dmb:cmp:a:b:0:c", "x"], system: "s" }, []],
  [
    "Component",
    { owner: [], dependsOn: ["a:b:c:d", 7], mesh: [] },
    ["/spec/owner", "/spec/dependsOn/0", "/spec/dependsOn/1", "/spec/mesh"],
  ],
  ["API", {}, ["/spec/type", "/spec/definition"]],
  ["Resource", { type: " " }, ["/spec/type"]],
  ["Template", { type: "service", steps: [], parameters: [{}, {}] }, []],
  ["Template", { type: "service", parameters: "x" }, ["/spec/parameters", "/spec/steps"]],
  ["AccessControlRequestTemplate", { type: "borrow" }, ["/spec/type", "/spec/parameters"]],
  ["Group", { children: "a" }, ["/spec/children"]],
  ["SystemType", { resourceTypeId: 7 }, ["/spec/resourceTypeId"]],
  ["Unheard", { anything: [1] }, []],
  ["constructor", {}, []],
])("a %s with %j has problems at %j", (kind, spec, expected) => {
  expect(pointers({ apiVersion: "v1", kind, metadata: { name: "a" }, spec })).toEqual(expected);
});
