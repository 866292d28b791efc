import { expect, it } from "vitest";
import { pairsOfDescriptors } from "./descriptor-pairs.ts";

const side = (descriptor: object, descriptorVersion: string | null = null) => ({
  status: null,
  descriptorVersion,
  descriptor,
});

it("has the unit's own fields first, then the components of either side", () => {
  const hull = { id: "Hull", version: "1" };
  const mast = { id: "mast" };
  const sail = { id: "sail", size: 3 };
  const one = { id: "ships", version: "2", components: [hull, mast, "odd", { id: 7 }] };
  const other = { id: "ships", components: [sail, { ...hull, id: "hull" }] };
  expect(pairsOfDescriptors(one, other)).toEqual([
    {
      id: "ships",
      isRoot: true,
      environment: side({ id: "ships", version: "2" }, "2"),
      otherEnvironment: side({ id: "ships" }),
    },
    {
      id: "Hull",
      isRoot: false,
      environment: side(hull, "1"),
      otherEnvironment: side({ ...hull, id: "hull" }, "1"),
    },
    { id: "mast", isRoot: false, environment: side(mast), otherEnvironment: null },
    { id: "sail", isRoot: false, environment: null, otherEnvironment: side(sail) },
  ]);
});

it("is nothing of two that are not there, and one side of one", () => {
  expect(pairsOfDescriptors(null, null)).toEqual([]);
  expect(pairsOfDescriptors(null, { id: "ships", components: {} })).toEqual([
    { id: "ships", isRoot: true, environment: null, otherEnvironment: side({ id: "ships" }) },
  ]);
});
