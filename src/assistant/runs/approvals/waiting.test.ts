import { expect, it } from "vitest";
import { namedApprovals, saidDecision, shownWhole, waitingText } from "./waiting.ts";

const approval = {
  approval_id: "f0e1d2c3-b4a5-4968-8776-5a4b3c2d1e56",
  run_id: "f0e1d2c3-b4a5-4968-8776-5a4b3c2d1e57",
  tool_call_id: "call-1",
  agents: ["Main"],
  server: "unit",
  tool: "remove",
  arguments: { what: "x" },
  expires_at: "2026-11-24T10:00:00.000Z",
};

it.each([
  ["approve", { isApproved: true, reason: null }],
  ["  Approve\n", { isApproved: true, reason: null }],
  ["REFUSE", { isApproved: false, reason: null }],
  ["refuse: not on a Friday", { isApproved: false, reason: "not on a Friday" }],
  ["Refuse :  two\nlines ", { isApproved: false, reason: "two\nlines" }],
  ["refuse:", { isApproved: false, reason: null }],
  ["approve it", null],
  ["I approve", null],
  ["approve: yes", null],
  ["refuse that", null],
  ["", null],
])("%j says %j", (message, said) => {
  expect(saidDecision(message)).toEqual(said);
});

it("says what waits, and the text can be read back", () => {
  const text = waitingText([approval]);
  expect(text).toContain('unit:remove with {"what":"x"}, until 2026-11-24T10:00:00.000Z');
  expect(text).toContain('"approve", or "refuse" or "refuse: why"');
  expect(namedApprovals(text)).toEqual([approval.approval_id]);
  expect(namedApprovals("approval_id without one")).toEqual([]);
  const second = { ...approval, approval_id: approval.run_id, arguments: { what: "y".repeat(2_000) } };
  expect(namedApprovals(waitingText([approval, second]))).toEqual([approval.approval_id, second.approval_id]);
  expect(waitingText([second]).length).toBeLessThan(1_400);
});

it.each<[string, Record<string, unknown>, string]>([
  ["short arguments as they are", { what: "x".repeat(500) }, `{"what":"${"x".repeat(500)}"}`],
  [
    "each long value shortened, at any depth",
    { a: ["y".repeat(700), 1, null], b: { c: "z".repeat(201) }, d: "end" },
    `{"a":["${"y".repeat(200)}… (700 characters)",1,null],"b":{"c":"${"z".repeat(200)}… (201 characters)"},"d":"end"}`,
  ],
])("shows %s", (_what, given, shown) => {
  expect(shownWhole(given)).toBe(shown);
  expect(waitingText([{ ...approval, arguments: given }])).toContain(`unit:remove with ${shown}, until 20`);
});

it.each<[string, Record<string, unknown>]>([
  ["too many keys", Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`key-${n}`, n]))],
  ["too long a key", { ["k".repeat(5_000)]: 1, environment: "production" }],
])("says so when it can't show %s, and takes no approval", (_what, given) => {
  expect(shownWhole(given)).toBeNull();
  const text = waitingText([approval, { ...approval, arguments: given }]);
  expect(text).toContain(`… (not all of it: ${JSON.stringify(given).length} characters), until 20`);
  expect(text).toContain('so the answer "approve" is not taken');
  expect(text).not.toContain('Answer "approve"');
  expect(text.length).toBeLessThan(2_500);
});
