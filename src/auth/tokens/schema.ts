/** Wire shapes of tokens. */
import { Type, type Static } from "typebox";
import { Nullable, OneOf } from "../../platform/http/schema.ts";
import { accountName, role, roleList, time } from "../schema.ts";

const scope = Type.String({ minLength: 1, maxLength: 255, pattern: "^[!#-\\[\\]-~]+$" });

export const newTokenBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description: "What it is for." }),
  service: Type.Optional({
    ...accountName,
    description: "The service account that it is for; without it the token is the caller's own.",
  }),
  roles: Type.Optional(
    roleList(
      "At most these of the owner's roles, also when the owner gets more. Not given: those it has now.",
    ),
  ),
  scopes: Type.Array(scope, {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    default: ["all"],
    description: "What it may be used for, such as `read` or `coordinator:read`.",
  }),
  expiresInDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3_650,
      description: "At most accessTokens.maxDays. Not given: accessTokens.defaultDays.",
    }),
  ),
});
export type NewToken = Static<typeof newTokenBody>;

const tokenFields = {
  id: Type.String(),
  kind: OneOf(["personal", "service", "session"] as const, {
    description:
      "Of a person or program that made it for itself, of a service account, or of a session that JWTs were got for.",
  }),
  owner: Type.String({ description: "Whom its bearer acts as." }),
  name: Type.String(),
  ending: Nullable(Type.String({ description: "Its last letters; null for sessions." })),
  roles: Type.Array(role, { description: "At most these of the owner's roles at the time of use." }),
  scopes: Type.Array(Type.String()),
  status: OneOf(["active", "expired", "revoked"] as const),
  createdAt: time,
  createdBy: Type.String(),
  expiresAt: time,
  lastUsedAt: Nullable({ ...time, description: "To within a minute; null where it was never used." }),
  revokedAt: Nullable(time),
  revokedBy: Nullable(Type.String()),
};

export const tokenView = Type.Object(tokenFields);
export type TokenView = Static<typeof tokenView>;

export const madeToken = Type.Object({
  ...tokenFields,
  token: Type.String({ description: "The token itself. It is shown this once." }),
});
export type MadeToken = Static<typeof madeToken>;

export const tokenQuery = Type.Object({
  owner: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description: "Whose, or `all`; operators and administrators may name others than themselves.",
    }),
  ),
  status: OneOf(["active", "ended", "all"] as const, { default: "active" }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 400, description: "`meta.pagination.next` of the page before." }),
  ),
});
export type TokenQuery = Static<typeof tokenQuery>;

export const tokenList = Type.Object({
  data: Type.Array(tokenView),
  meta: Type.Object({
    pagination: Type.Object({ limit: Type.Integer(), next: Nullable(Type.String()) }),
  }),
});
export type TokenList = Static<typeof tokenList>;

export const tokenParams = Type.Object({ tokenId: Type.String({ minLength: 1, maxLength: 64 }) });
