import { expect, test } from "vitest";
import { linkOfId, linksIn } from "./object-links.ts";

test("finds plans, units and others in arguments and results, once each", () => {
  const given = '{"deploymentUnitId":"urn:dmb:dp:sea:ships:0","environment":"development"}';
  const result = '{"planToken":"t1","deploymentUnitId":"urn:dmb:dp:sea:ships:0","hookId":"h"}';
  expect(linksIn("platform__start_provisioning", given, result)).toEqual([
    { kind: "unit", id: "urn:dmb:dp:sea:ships:0" },
    { kind: "plan", id: "t1" },
    { kind: "hook", id: "h" },
  ]);
});

test("reads results that were cut, and ids with escapes", () => {
  expect(linksIn("x", '{"planToken": "a\\"b", "tasks": [{"id": "unfin')).toEqual([
    { kind: "plan", id: 'a"b' },
  ]);
});

test("a task is one of a template where the tool says so, and of a plan otherwise", () => {
  expect(linksIn("platform__get_instantiation", '{"taskId":"7"}')).toEqual([
    { kind: "instantiation", id: "7" },
  ]);
  expect(linksIn("platform__get_plan_logs", '{"taskId":"7"}')).toEqual([]);
});

test("has at most six", () => {
  const many = Array.from({ length: 50 }, (_, index) => `"planToken":"${index}"`).join(",");
  expect(linksIn("x", many)).toHaveLength(6);
});

test("an id in an answer links where a call had it, or its form says what it is", () => {
  const known = [{ kind: "plan", id: "7c9e" }] as const;
  expect(linkOfId("7c9e", known)).toEqual(known[0]);
  expect(linkOfId("urn:dmb:dp:sea:ships:0", [])).toEqual({ kind: "unit", id: "urn:dmb:dp:sea:ships:0" });
  expect(linkOfId("template:default/port", [])).toEqual({ kind: "template", id: "template:default/port" });
  expect(linkOfId("group:default/fleet", [])).toEqual({ kind: "entity", id: "group:default/fleet" });
  expect(linkOfId("something else", known)).toBeNull();
});
