import { expect, it } from "vitest";
import { bareDescriptor } from "./compare.ts";

it("leaves out what was added to the unit and its components, at every depth", () => {
  const part = { name: "keel", info: { publicInfo: {} }, specific: { info: "mine" } };
  const descriptor = {
    id: "ships:1",
    info: 1,
    buildInfo: {},
    deployInfo: null,
    components: [{ id: "hull", info: { privateInfo: "x" }, components: [part] }, "odd", null],
    metadata: { info: "mine", components: [{ info: 2 }] },
  };
  expect(bareDescriptor(descriptor)).toEqual({
    id: "ships:1",
    components: [{ id: "hull", components: [{ name: "keel", specific: { info: "mine" } }] }, "odd", null],
    metadata: { info: "mine", components: [{ info: 2 }] },
  });
});
