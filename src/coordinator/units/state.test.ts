import { expect, it } from "vitest";
import { unitStatus, type UnitFacts } from "./status.ts";

const atRest = { isActive: false, blockedByService: false };
const [on, off, broken] = ["DEPLOYED", "NOT_DEPLOYED", "CORRUPT"];

it.each<[what: string, facts: Partial<UnitFacts>, status: string]>([
  ["nothing known, nothing wanted", { known: [], wanted: [] }, "NOT_DEPLOYED"],
  ["nothing known of what is wanted", { known: [], wanted: [off, off] }, "NOT_DEPLOYED"],
  ["all undeployed", { known: [off, off], wanted: [off, off] }, "NOT_DEPLOYED"],
  ["all deployed", { known: [on, on], wanted: [on, on] }, "DEPLOYED"],
  ["one of two", { known: [on, off], wanted: [on, off] }, "PARTIALLY_DEPLOYED"],
  ["one of two, the other never seen", { known: [on], wanted: [on, off] }, "PARTIALLY_DEPLOYED"],
  ["all wanted, and one that was dropped", { known: [on, on], wanted: [on] }, "DEPLOYED"],
  ["a dropped one that is gone", { known: [on, off], wanted: [on] }, "DEPLOYED"],
  ["only a dropped one is left", { known: [on], wanted: [] }, "PARTIALLY_DEPLOYED"],
  ["one corrupt", { known: [on, broken], wanted: [on, broken] }, "CORRUPT"],
  ["a dropped one corrupt", { known: [on, broken], wanted: [on] }, "CORRUPT"],
  ["blocked by a service", { known: [on], wanted: [on], blockedByService: true }, "CORRUPT"],
  [
    "at work wins over corrupt",
    { known: [broken], wanted: [broken], isActive: true },
    "PROVISIONING_IN_PROGRESS",
  ],
  [
    "at work wins over a service",
    { known: [], wanted: [], isActive: true, blockedByService: true },
    "PROVISIONING_IN_PROGRESS",
  ],
])("%s", (...[, facts, status]) => {
  expect(unitStatus({ ...atRest, known: [], wanted: [], ...facts })).toBe(status);
});
