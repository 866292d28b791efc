/** Wire shapes of the lists of units and of environments. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";
import { unitStatusWord } from "./schema.ts";

const part = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 512, description }));

export const unitListQuery = Type.Object({
  environment: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
    default: [],
    maxItems: 16,
    description: "Comma-separated; units in any of these environments.",
  }),
  status: Type.Array(unitStatusWord, {
    default: [],
    maxItems: 16,
    description: "Comma-separated; units in any of these states.",
  }),
  search: part("Part of the unit's id or name, in any case."),
  owner: part("Units whose descriptor has this `dataProductOwner`, or else this `projectOwner`."),
  domain: part("Units whose descriptor has this `domain`."),
  limit: Type.Integer({ minimum: 1, default: 20, description: "A page has at most 500." }),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4096, description: "`meta.pagination.next` of the page before." }),
  ),
});
export type UnitListRequest = Static<typeof unitListQuery>;

const text = Nullable(Type.String());

export const unitList = Type.Object({
  data: Type.Array(
    Type.Object({
      deploymentUnitId: Type.String(),
      environment: Type.String(),
      name: text,
      kind: text,
      owner: text,
      domain: text,
      status: unitStatusWord,
      descriptorVersion: Type.String(),
      executionPlanId: Nullable(Type.String({ description: "Token of its last plan." })),
      executionPlanStatus: text,
      updatedAt: Type.String({ format: "date-time" }),
    }),
  ),
  meta: Type.Object({
    pagination: Type.Object({
      limit: Type.Integer({ description: "Of this page; less than was asked for where that is too much." }),
      next: text,
    }),
  }),
});
export type UnitList = Static<typeof unitList>;

export const environmentList = Type.Object({
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      deploymentUnits: Type.Integer({ description: "Units on which an operation was started there." }),
      activeOperations: Type.Integer(),
    }),
  ),
});
export type EnvironmentList = Static<typeof environmentList>;
