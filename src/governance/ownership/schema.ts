/** Wire shapes of the rules about who may touch whose unit. */
import { Type, type Static } from "typebox";
import { ownedOperations } from "./rules.ts";

const names = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { default: [], maxItems: 256, description }),
  );

const newRule = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255, description: "Named where the rule refuses somebody." }),
  operations: Type.Optional(
    Type.Array(Type.Enum(ownedOperations), {
      default: [],
      maxItems: 16,
      description: "Empty for every operation.",
    }),
  ),
  environments: names("Empty for every environment."),
  domains: names("Empty for every domain."),
  owners: Type.Optional(
    Type.Union(
      [
        Type.Enum(["mine", "any"] as const),
        Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 256 }),
      ],
      {
        default: "any",
        description: "`mine`: what the caller or a group of theirs owns; `any`; or references of owners.",
      },
    ),
  ),
  effect: Type.Enum(["allow", "deny", "approval"] as const),
  groups: names("Who approves, never the requester; empty for the owners of the unit."),
});

const ownershipRule = Type.Object({
  name: Type.String(),
  operations: Type.Array(Type.Enum(ownedOperations)),
  environments: Type.Array(Type.String()),
  domains: Type.Array(Type.String()),
  owners: Type.Union([Type.String(), Type.Array(Type.String())]),
  effect: Type.Enum(["allow", "deny", "approval"] as const),
  groups: Type.Array(Type.String()),
});

export const rulesBody = Type.Object({
  version: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_646,
    description: "The version that is changed, as read; 0 where there is none.",
  }),
  rules: Type.Array(newRule, {
    maxItems: 256,
    description: "All of them, in the order in which they are tried.",
  }),
});
export type RulesBody = Static<typeof rulesBody>;

export const rulesView = Type.Object({
  version: Type.Integer({ description: "0 while none were stored." }),
  rules: Type.Array(ownershipRule, {
    description: "Those that are stored; tried after the configured ones.",
  }),
  configured: Type.Array(ownershipRule, { description: "Those of the configuration; tried first." }),
  defaults: Type.Array(ownershipRule, { description: "Tried last." }),
  updatedAt: Type.Optional(Type.String({ format: "date-time" })),
  updatedBy: Type.Optional(Type.String()),
});
export type RulesView = Static<typeof rulesView>;

export const whoMayParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 512 }) });

export const whoMayQuery = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 63 }),
  operation: Type.Array(Type.Enum(ownedOperations), {
    default: ["start"],
    minItems: 1,
    description: "Comma-separated: all that is to be done to the unit.",
  }),
});
export type WhoMayQuery = Static<typeof whoMayQuery>;

export const whoMayView = Type.Object({
  id: Type.String(),
  environment: Type.String(),
  operations: Type.Array(Type.Enum(ownedOperations)),
  verdict: Type.Enum(["allow", "approval", "deny"] as const, { description: "For the caller." }),
  rule: Type.String({ description: "The rule that decided; several that ask for an approval." }),
  owners: Type.Array(Type.String(), { description: "Of the last descriptor of the unit there." }),
  whoMay: Type.Array(Type.String(), {
    description: "Whose approval it needs, or who may where the caller may not; empty where the caller may.",
  }),
});
export type WhoMayView = Static<typeof whoMayView>;
