import { expect, it } from "vitest";
import { checkIdentity } from "./identity.ts";
import type { YamlMap } from "../../catalogue/entities/yaml.ts";

const sound = { id: "urn:dmb:cmp:a:b:0:c", name: "C", kind: "storage" };

it.each<[string, YamlMap, string[]]>([
  ["a sound one", { ...sound, version: "1.0.0", domain: "a" }, []],
  ["a name that only contains the word", { ...sound, name: "undefinedness of things" }, []],
  ["an undefined part of an id", { ...sound, id: "urn:dmb:cmp:a:undefined:0:c" }, ["f#/id"]],
  ["an undefined name", { ...sound, name: "undefined" }, ["f#/name"]],
  [
    "an undefined adapter",
    { ...sound, infrastructureTemplateId: "urn:dmb:itm:undefined:1" },
    ["f#/infrastructureTemplateId"],
  ],
  ["an empty version", { ...sound, version: " " }, ["f#/version"]],
  ["a domain that is no text", { ...sound, domain: ["a"] }, ["f#/domain"]],
  ["all that is missing", {}, ["f#/id", "f#/name", "f#/kind"]],
  ["a nested component", { ...sound, components: [{ ...sound, id: "x:undefined" }] }, ["f#/components/0/id"]],
])("%s", (_case, descriptor, where) => {
  expect(checkIdentity(descriptor, "f").map((problem) => problem.where)).toEqual(where);
});
