import { Type, type Static } from "typebox";
import { OneOf } from "../../platform/http/schema.ts";

/** The stored JSON is sent unchanged, so the schema is only documentation. */
export const entitySchema = Type.Object(
  {
    apiVersion: Type.String(),
    kind: Type.String(),
    metadata: Type.Object(
      { name: Type.String(), namespace: Type.Optional(Type.String()), uid: Type.Optional(Type.String()) },
      { additionalProperties: true },
    ),
    spec: Type.Optional(Type.Object({}, { additionalProperties: true })),
    relations: Type.Optional(Type.Array(Type.Object({ type: Type.String(), targetRef: Type.String() }))),
  },
  { additionalProperties: true, description: "An entity, with the relations that it and others declare." },
);

/** An entity; with `fields`, only those fields of it. */
export const partOfEntity = Type.Object(
  {},
  { additionalProperties: true, description: "An entity, or the requested fields of it." },
);

export const listLimits = {
  most: 5_000,
  page: 20,
  fields: 50,
  refs: 1_000,
  facets: 20,
  /** Values of all facets of one answer. */
  values: 100_000,
} as const;

const filter = Type.Optional(
  Type.Array(Type.String({ maxLength: 4_096 }), {
    maxItems: 200,
    description:
      "`key=value` or `key`, joined by commas when all must hold; repeated when any may. Case does not matter. A key is a path in dots, such as `metadata.name`, `spec.type` or `relations.ownedBy`.",
  }),
);
const fields = Type.Optional(
  Type.Array(Type.String({ maxLength: 400 }), {
    maxItems: listLimits.fields,
    description: "Dotted paths of the fields to return; all fields when left out.",
  }),
);
const cursorText = (description: string) => Type.Optional(Type.String({ maxLength: 20_000, description }));

const offset = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  default: 0,
  description: "Number of entities to skip.",
});
const pageLimit = Type.Integer({
  minimum: 0,
  maximum: listLimits.most,
  default: listLimits.page,
  description: "Entities of this answer.",
});
const pageCursor = cursorText(
  "`nextCursor` or `prevCursor` of an earlier answer; the other conditions come from it.",
);

export const listQuery = Type.Object({
  filter,
  fields,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: listLimits.most,
      description: "Entities of this answer; all of them when left out.",
    }),
  ),
  offset,
  after: cursorText("Position at which an earlier answer ended, from the `after` of its Link header."),
  order: Type.Optional(
    Type.Array(Type.String({ maxLength: 400 }), {
      maxItems: 5,
      description: "`asc:field` or `desc:field`; repeatable.",
    }),
  ),
});
export type ListQuery = Static<typeof listQuery>;

const totalItems = OneOf(["include", "exclude"], {
  default: "include",
  description: "Whether the entities are counted; `totalItems` of the answer is 0 otherwise.",
});

export const byQueryQuery = Type.Object({
  filter,
  fields,
  limit: pageLimit,
  offset,
  cursor: pageCursor,
  orderField: Type.Optional(
    Type.Array(Type.String({ maxLength: 400 }), {
      maxItems: 10,
      description: "`field,asc` or `field,desc`; repeatable.",
    }),
  ),
  fullTextFilterTerm: Type.Optional(
    Type.String({ maxLength: 200, description: "Text that a field contains." }),
  ),
  fullTextFilterFields: Type.Optional(
    Type.Array(Type.String({ maxLength: 400 }), {
      maxItems: 10,
      description: "Fields that are searched.",
    }),
  ),
  totalItems,
});
export type ByQueryQuery = Static<typeof byQueryQuery>;

export const byQueryAnswer = Type.Object({
  items: Type.Array(partOfEntity),
  totalItems: Type.Integer(),
  pageInfo: Type.Object({
    nextCursor: Type.Optional(Type.String({ description: "Cursor of the next page, where there is one." })),
    prevCursor: Type.Optional(Type.String({ description: "Cursor of the previous page." })),
  }),
});

/** Validated by predicate.ts, which reports problems with their place. */
const predicate = Type.Optional(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        "Conditions: fields with a value or one of `$in`, `$exists`, `$hasPrefix`, `$contains`; `$all`, `$any` and `$not` around such conditions. Case does not matter.",
    },
  ),
);
const bodyFields = Type.Optional(
  Type.Array(Type.String({ maxLength: 400 }), { maxItems: listLimits.fields }),
);

export const predicateQueryBody = Type.Object({
  query: predicate,
  cursor: pageCursor,
  limit: pageLimit,
  offset,
  orderBy: Type.Optional(
    Type.Array(
      Type.Object({
        field: Type.String({ minLength: 1, maxLength: 400 }),
        order: OneOf(["asc", "desc"], { default: "asc" }),
      }),
      { maxItems: 10 },
    ),
  ),
  fullTextFilter: Type.Optional(
    Type.Object({
      term: Type.Optional(Type.String({ maxLength: 200, description: "Text that a field contains." })),
      fields: Type.Optional(Type.Array(Type.String({ maxLength: 400 }), { maxItems: 10 })),
    }),
  ),
  fields: bodyFields,
  totalItems,
});
export type PredicateQueryBody = Static<typeof predicateQueryBody>;

export const byRefsBody = Type.Object({
  entityRefs: Type.Array(Type.String({ maxLength: 600 }), { maxItems: listLimits.refs }),
  query: predicate,
  fields: bodyFields,
});
export type ByRefsBody = Static<typeof byRefsBody>;

export const byRefsQuery = Type.Object({ filter });

export const byRefsAnswer = Type.Object({
  items: Type.Array(Type.Unsafe<object | null>({ type: ["object", "null"], additionalProperties: true }), {
    description: "In the order of the references; null where there is none.",
  }),
});

const facetsWords = `Fields to count by. Those that have more than ${listLimits.values} values together are refused.`;

export const facetsQuery = Type.Object({
  facet: Type.Array(Type.String({ maxLength: 400 }), {
    minItems: 1,
    maxItems: listLimits.facets,
    description: facetsWords,
  }),
  filter,
});
export type FacetsQuery = Static<typeof facetsQuery>;

export const facetsBody = Type.Object({
  facets: Type.Array(Type.String({ maxLength: 400 }), {
    minItems: 1,
    maxItems: listLimits.facets,
    description: facetsWords,
  }),
  query: predicate,
});
export type FacetsBody = Static<typeof facetsBody>;

export const facetsAnswer = Type.Object({
  facets: Type.Record(
    Type.String(),
    Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() })),
  ),
});

export const ancestryAnswer = Type.Object({
  rootEntityRef: Type.String(),
  items: Type.Array(Type.Object({ entity: entitySchema, parentEntityRefs: Type.Array(Type.String()) })),
});

export const nameParams = Type.Object({
  kind: Type.String({ minLength: 1, maxLength: 100 }),
  namespace: Type.String({ minLength: 1, maxLength: 100 }),
  name: Type.String({ minLength: 1, maxLength: 300 }),
});
export type NameParams = Static<typeof nameParams>;

export const uidParams = Type.Object({ uid: Type.String({ minLength: 1, maxLength: 100 }) });

export const validateBody = Type.Object({
  entity: Type.Unknown({ description: "The document." }),
  location: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: "`type:target` that it would come from.",
  }),
});
export type ValidateBody = Static<typeof validateBody>;

export const refreshBody = Type.Object({ entityRef: Type.String({ minLength: 1, maxLength: 600 }) });
