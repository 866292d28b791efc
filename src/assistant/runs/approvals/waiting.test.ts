import { expect, it } from "vitest";
import { namedApprovals, saidDecision, waitingText } from "./waiting.ts";

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
