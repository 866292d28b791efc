import { expect, test } from "vitest";
import type { Role } from "../../lib/actor.ts";
import { policy, type Rule } from "../policy.ts";
import { isRoleWithin, sharedRoles } from "./role-order.ts";

const roles: Role[] = ["viewer", "developer", "operator", "admin", "service"];
const rules = Object.values<Rule>(policy);

test.each(roles.flatMap((lower) => roles.map((higher) => [lower, higher] as const)))(
  "that %s is within %s fits the policy table",
  (lower, higher) => {
    if (!isRoleWithin(lower, [higher])) return;
    const beyond = rules.filter(
      (rule) => rule !== "public" && rule.roles.includes(lower) && !rule.roles.includes(higher),
    );
    expect(beyond).toEqual([]);
  },
);

test.each<[Role[], Role[], Role[]]>([
  [["viewer"], ["admin"], ["viewer"]],
  [["admin"], ["viewer"], ["viewer"]],
  [["operator"], ["developer"], ["developer"]],
  [["admin", "viewer"], ["admin"], ["admin", "viewer"]],
  [["service"], ["admin"], []],
  [["admin"], ["service"], []],
  [["service"], ["operator", "viewer"], ["viewer"]],
  [["developer"], ["service"], ["developer"]],
  [[], ["admin"], []],
])("%j and %j share %j", (some, others, shared) => {
  expect(sharedRoles(some, others)).toEqual(shared);
  expect(sharedRoles(others, some).toSorted()).toEqual(shared.toSorted());
});
