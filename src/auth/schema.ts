/** Parts of the wire shapes of more than one resource. */
import { Type } from "typebox";
import { roles } from "../platform/config/schema/schema-auth.ts";
import { OneOf } from "../platform/http/schema.ts";

export const time = Type.String({ format: "date-time" });

export const role = OneOf(roles, { description: "One of the roles." });

export const roleList = (description: string) =>
  Type.Array(role, { minItems: 1, maxItems: roles.length, uniqueItems: true, description });

export const accountName = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$",
  description: "It acts as `service:default/<name>`.",
});
