import fc from "fast-check";
import { expect, it } from "vitest";
import { driftPointers, maxPointers } from "./compare.ts";

const descriptor = {
  name: "hull",
  dataContract: {
    schema: [
      { name: "id", dataType: "STRING" },
      { name: "n", dataType: "INT" },
    ],
    "a/b~c": 1,
  },
  specific: { schema: "sea", table: "hull" },
};

it.each<[string, Record<string, unknown>, string[]]>([
  ["nothing", {}, []],
  [
    "the same",
    { "spec.mesh.specific.table": "hull", "spec.mesh.dataContract.schema": descriptor.dataContract.schema },
    [],
  ],
  ["another text", { "spec.mesh.specific.table": "keel" }, ["/specific/table"]],
  [
    "another type",
    {
      "spec.mesh.dataContract.schema": [
        { name: "id", dataType: "STRING" },
        { name: "n", dataType: "LONG" },
      ],
    },
    ["/dataContract/schema/1/dataType"],
  ],
  [
    "one column less",
    { "spec.mesh.dataContract.schema": [{ name: "id", dataType: "STRING" }] },
    ["/dataContract/schema/1"],
  ],
  [
    "a constraint more",
    {
      "spec.mesh.dataContract.schema": [
        { name: "id", dataType: "STRING", constraint: "UNIQUE" },
        { name: "n", dataType: "INT" },
      ],
    },
    ["/dataContract/schema/0/constraint"],
  ],
  [
    "a member that is null",
    {
      "spec.mesh.dataContract.schema": [
        { name: "id", dataType: "STRING", description: null },
        { name: "n", dataType: "INT" },
      ],
    },
    [],
  ],
  ["a field that is not there", { "spec.mesh.owner": "ada" }, ["/owner"]],
  ["a field of the top", { name: "keel" }, ["/name"]],
  ["a list for an object", { "spec.mesh.specific": [] }, ["/specific"]],
  [
    "a name with slash and tilde",
    { "spec.mesh.dataContract": { ...descriptor.dataContract, "a/b~c": 2 } },
    ["/dataContract/a~1b~0c"],
  ],
  ["a name of the prototype", { "spec.mesh.constructor": { name: "x" } }, ["/constructor"]],
])("%s", (_, updates, pointers) => {
  expect(driftPointers(updates, descriptor)).toEqual(pointers);
});

it("finds nothing where the live state is the descriptor, and names a limited number of places", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string().filter((key) => !key.includes(".") && key !== "__proto__"),
        fc.jsonValue(),
      ),
      (value) => {
        expect(driftPointers({ ...value }, value)).toEqual([]);
      },
    ),
  );
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, n]));
  expect(driftPointers(many, {})).toHaveLength(maxPointers);
});
