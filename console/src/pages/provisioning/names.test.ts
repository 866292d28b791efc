import { expect, test } from "vitest";
import { componentNameOf, countOf, personOf, unitNameOf } from "./names.ts";

test("ids are read by their names, and others stay as they are", () => {
  expect(unitNameOf("urn:dmb:dp:mobility:parcel-tracking:0")).toBe("parcel-tracking");
  expect(unitNameOf("positions")).toBe("positions");
  expect(componentNameOf("urn:dmb:cmp:mobility:parcel-tracking:0:raw")).toBe("raw");
  expect(componentNameOf("urn:dmb:dp:mobility:parcel-tracking:0")).toBe("parcel-tracking");
  expect(personOf("user:default/ada")).toBe("ada");
  expect(personOf("group:default/fleet")).toBe("group fleet");
  expect([countOf(1, "task"), countOf(1200, "task")]).toEqual(["1 task", "1,200 tasks"]);
});
