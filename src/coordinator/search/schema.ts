/** Wire shapes of the search over everything. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";
import { searchKinds } from "../ports.ts";

export const searchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      "Each word is the beginning of a word of a name, title or id. Plans are found by the first four characters of their token, or more.",
  }),
  kind: Type.Array(Type.Enum(searchKinds), {
    default: [],
    maxItems: searchKinds.length,
    description: "Only these kinds; all that the caller may read unless given.",
  }),
  limit: Type.Integer({ minimum: 1, maximum: 20, default: 5, description: "Of each kind." }),
});
export type SearchQuery = Static<typeof searchQuery>;

const id = Type.Optional(Type.String());

export const searchGroups = Type.Object({
  data: Type.Array(
    Type.Object({
      kind: Type.Enum(searchKinds),
      items: Type.Array(
        Type.Object({
          id: Type.String({ description: "Unique within the kind." }),
          title: Type.String(),
          subtitle: Nullable(Type.String()),
          environment: Nullable(
            Type.String({
              description: "The only one that it is in; null where it is in several, or in none.",
            }),
          ),
          score: Type.Number({ description: "From 0 to 1; orders the items of its group." }),
          link: Type.Object(
            {
              unitId: id,
              planId: id,
              adapterId: id,
              entityRef: id,
              policyId: id,
              agentId: id,
              page: Type.Optional(
                Type.String({ description: "File of the documentation, with its heading." }),
              ),
            },
            { description: "What a link to it is made of." },
          ),
        }),
        { description: "The best first." },
      ),
      more: Type.Boolean({ description: "Whether more fit than the group has." }),
      unavailable: Nullable(Type.String({ description: "Why this kind could not be searched." })),
    }),
    {
      description: "One group for each kind, also where nothing was found, in an order that stays the same.",
    },
  ),
  meta: Type.Object({ limit: Type.Integer() }),
});
export type SearchGroups = Static<typeof searchGroups>;
