import { expect, it } from "vitest";
import { adapterView, deploymentView } from "./service.ts";

const at = new Date("2026-11-21T08:00:00.000Z");
const row = { environment: "development", enabled: true, url: "http://a", createdAt: at, updatedAt: at };
const shown = (properties: Record<string, unknown> | null): unknown =>
  deploymentView({ ...row, properties }).properties;

it.each<[what: string, stored: Record<string, unknown> | null, shown: object]>([
  ["nothing", null, {}],
  ["other properties as they are", { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }],
  [
    "policies by type and id",
    { a: 1, dataContractGuardian: { b: 2, policies: [{ resourceType: "t", spec: { id: "p", name: "N" } }] } },
    { a: 1, dataContractGuardian: { b: 2, policies: [{ resourceType: "t", id: "p" }] } },
  ],
  [
    "a policy's own id before that of its specification",
    { dataContractGuardian: { policies: [{ resourceType: "t", id: "own", spec: { id: "p" } }] } },
    { dataContractGuardian: { policies: [{ resourceType: "t", id: "own" }] } },
  ],
  [
    "what an older release may have stored",
    { dataContractGuardian: { policies: ["p", null, { resourceType: "t" }] } },
    { dataContractGuardian: { policies: ["p", null, { resourceType: "t" }] } },
  ],
  ["a guardian of another kind", { dataContractGuardian: "off" }, { dataContractGuardian: "off" }],
])("shows %s", (...[, stored, expected]) => {
  expect(shown(stored)).toEqual(expected);
});

it("leaves out a description that is none", () => {
  const adapter = { id: "a", version: "1", name: "A", description: null, labels: [], environments: [] };
  expect(Object.keys(adapterView(adapter))).toEqual(["id", "version", "name", "labels", "deployments"]);
});
