import { expect, it } from "vitest";
import { calledComponents, ownCallIds, ownerKeys } from "./own-calls.ts";
import { readUnit } from "./unit.ts";

const component = {
  id: "Port",
  infrastructureTemplateId: "t",
  components: [
    {
      name: "Folder",
      components: [{ name: "Deep", infrastructureTemplateId: "t", components: [{ name: "Leaf" }] }],
    },
    { id: "own", infrastructureTemplateId: " " },
  ],
};
const { unit } = readUnit({ id: "u", components: [component] });
const [read] = unit!.components;

it("tells which subcomponents have calls of their own, of the descriptor as it is stored too", () => {
  expect(calledComponents([read!]).map(({ id }) => id)).toEqual(["Port", "Port:Folder:Deep"]);
  expect(ownCallIds(component)).toEqual(["Port:Folder:Deep"]);
  expect(ownCallIds({ id: "a", components: null })).toEqual([]);
});

it("tells in whose call the others are", () => {
  expect([...ownerKeys(read!)]).toEqual([
    ["port:folder", "port"],
    ["port:folder:deep", "port"],
    ["port:folder:deep:leaf", "port:folder:deep"],
    ["own", "port"],
  ]);
});
