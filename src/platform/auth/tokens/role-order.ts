/** Pure. Which role may do no more than another one. A program never stands for a person who decides, nor the reverse. */
import type { Role } from "../../lib/actor.ts";

const includedIn: Readonly<Record<Role, readonly Role[]>> = {
  viewer: [],
  developer: ["viewer"],
  operator: ["viewer", "developer"],
  admin: ["viewer", "developer", "operator"],
  service: ["viewer", "developer"],
};

/** Whether the role may do nothing that none of the others may. */
export const isRoleWithin = (role: Role, roles: readonly Role[]): boolean =>
  roles.some((other) => other === role || includedIn[other].includes(role));

/** What both lists allow. */
export const sharedRoles = (some: readonly Role[], others: readonly Role[]): Role[] => [
  ...new Set([
    ...some.filter((role) => isRoleWithin(role, others)),
    ...others.filter((role) => isRoleWithin(role, some)),
  ]),
];
