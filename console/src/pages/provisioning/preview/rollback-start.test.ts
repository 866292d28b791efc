import { expect, test } from "vitest";
import { canRollBack, rollbackBody } from "./rollback-start.ts";

const planHash = "0123456789abcdefghijkl";
const asked = { executionPlanId: "p", removeData: true, preventRedeploy: true };
const [a, b, c] = ["urn:dmb:cmp:sea:ships:0:a", "urn:dmb:cmp:sea:ships:0:b", "urn:dmb:cmp:sea:ships:0:c"];
const preview = { outcome: "OK" as const, planHash, protectedData: [a, b] };

test("protected data is removed where each component is confirmed, and only then", () => {
  expect(canRollBack(preview, [])).toBe(false);
  expect(canRollBack(preview, [a])).toBe(false);
  expect(canRollBack(preview, [b, a])).toBe(true);
  expect(rollbackBody(asked, preview, [b, a])).toEqual({ ...asked, planHash, confirmDataRemoval: [a, b] });
});

test("what was confirmed for another preview is not sent", () => {
  expect(rollbackBody(asked, preview, [a, b, c]).confirmDataRemoval).toEqual([a, b]);
  expect(rollbackBody(asked, { outcome: "OK", planHash }, [a])).toEqual({ ...asked, planHash });
});

test("nobody starts what is refused", () => {
  expect(canRollBack({ outcome: "OK", planHash }, [])).toBe(true);
  expect(canRollBack({ outcome: "KO", planHash }, [])).toBe(false);
  const permission = { verdict: "deny" as const, rule: "r", owners: [], whoMay: [] };
  expect(canRollBack({ outcome: "OK", planHash, permission }, [])).toBe(false);
});
