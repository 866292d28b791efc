/** Wire shapes of service accounts. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";
import { accountName, role, roleList, time } from "../schema.ts";

export const accountParams = Type.Object({ name: accountName });

const domain = Type.String({ minLength: 1, maxLength: 255 });

export const accountBody = Type.Object({
  roles: roleList("Roles of the program, whatever tokens it has."),
  domains: Type.Optional(
    Type.Array(domain, {
      maxItems: 1_000,
      uniqueItems: true,
      description: "Domains whose operational rows it reads in the data layer.",
    }),
  ),
  description: Type.Optional(Type.String({ maxLength: 2_000 })),
});
export const accountConditions = Type.Object({
  "if-match": Type.Optional(
    Type.String({
      pattern: "^\\*$",
      description: "`*` changes an account: refused with 404 when there is none.",
    }),
  ),
  "if-none-match": Type.Optional(
    Type.String({
      pattern: "^\\*$",
      description: "`*` makes a new account: refused with 409 when there is one.",
    }),
  ),
});

export type AccountBody = Static<typeof accountBody>;

export const accountView = Type.Object({
  name: Type.String(),
  ref: Type.String({ description: "Whom its tokens act as." }),
  roles: Type.Array(role),
  domains: Nullable(Type.Array(Type.String())),
  description: Nullable(Type.String()),
  activeTokens: Type.Integer(),
  updatedAt: time,
  updatedBy: Type.String(),
});
export type AccountView = Static<typeof accountView>;

export const accountList = Type.Object({ data: Type.Array(accountView) });
export type AccountList = Static<typeof accountList>;
