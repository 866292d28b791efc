import { expect, test } from "vitest";
import { contractsOf } from "./contracts.ts";

const contract = { schema: [{ name: "id", dataType: "text" }], SLA: { upTime: "99%" } };
const unit = {
  unitId: "urn:dmb:dp:fleet:positions:0",
  descriptor: {
    name: "Positions",
    domain: "fleet",
    dataProductOwner: "user:ada",
    components: [
      { id: "urn:A", name: "a", version: "0.1.0", kind: "OutputPort", dataContract: contract },
      { id: "urn:b", name: "b", kind: "outputport" },
      { id: "urn:c", name: "c", kind: "workload", dataContract: contract },
      {
        id: "urn:d",
        name: "d",
        kind: "storage",
        components: [
          { name: "view", kind: "outputport", dataContract: { endpoint: "h", password: "hunter2" } },
        ],
      },
      { id: "urn:e", name: "e", kind: "outputport", dataContract: contract },
      "no component",
    ],
  },
  deployedIds: ["urn:a", "urn:b", "urn:c", "urn:d:view"],
};

test("output ports that are deployed and have a contract, subcomponents too, without secrets", () => {
  expect(contractsOf(unit, "development")).toEqual([
    {
      dataProduct: { id: unit.unitId, name: "Positions", domain: "fleet", owner: "user:ada" },
      outputPort: { id: "urn:A", name: "a", version: "0.1.0" },
      environment: "development",
      contract,
    },
    expect.objectContaining({
      outputPort: { id: "urn:d:view", name: "view", version: null },
      contract: { endpoint: "h", password: "***" },
    }),
  ]);
});

test.each([{}, { components: null }, { components: [null, 1, {}] }])(
  "a descriptor without any: %j",
  (descriptor) => {
    expect(contractsOf({ ...unit, descriptor }, "development")).toEqual([]);
  },
);
