/** Pure: the filters of the catalogue that a picker asks with. */
import { titleOf, type Entity } from "../../../../api/entity.ts";
import { isRecord, textsOf, type Values } from "../json.ts";
import type { Pick } from "../split-schema.ts";

export interface PickerCaller {
  ref: string;
  groups: readonly string[];
}

/** For `filter` of the catalogue: conditions joined by commas all hold; of several filters one holds. */
export const filtersOf = (widget: string, pick: Pick, caller: PickerCaller | null): string[] => {
  const kinds = pick.kinds.length > 0 ? pick.kinds : kindsOf(widget);
  const ofKinds = kinds.map((kind) => `kind=${kind}`);
  const own =
    widget === "OwnedEntityPicker" && caller !== null
      ? [caller.ref, ...caller.groups].map((ref) => `relations.ownedBy=${ref}`)
      : [];
  const filters = pick.filters.length > 0 ? pick.filters.map(conditionsOf) : [[]];
  return filters
    .map((conditions) =>
      [...(conditions.some((each) => each.startsWith("kind=")) ? [] : ofKinds), ...own, ...conditions].join(
        ",",
      ),
    )
    .filter((filter) => filter !== "");
};

const kindsOf = (widget: string): string[] => {
  if (widget === "OwnerPicker") return ["Group", "User"];
  if (widget === "MyGroupsPicker") return ["Group"];
  return widget === "EntityComponentsPicker" ? ["Component"] : [];
};

/** A comma would end the condition. */
const conditionsOf = (filter: Values): string[] =>
  Object.entries(filter).flatMap(([key, value]) => {
    if (isRecord(value)) return [key];
    return textsOf(value)
      .filter((text) => !text.includes(","))
      .map((text) => `${key}=${text}`);
  });

/** Those whose name or title has the term in it, by name: what the catalogue's own search does. */
export const foundBy = (term: string, entities: readonly Entity[]): Entity[] =>
  entities
    .filter((entity) =>
      [entity.metadata.name, titleOf(entity)].some((text) => text.toLowerCase().includes(term.toLowerCase())),
    )
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));

/** What was typed as a reference that may be used although the catalogue does not name it. */
export const typedReference = (text: string, { defaultKind, kinds }: Pick): string | null => {
  const typed = text.trim();
  if (typed.startsWith("urn:") || /^[^:/\s]+:(?:[^:/\s]+\/)?[^:/\s]+$/.test(typed)) return typed;
  const kind = defaultKind ?? (kinds.length === 1 ? kinds[0] : undefined);
  return kind !== undefined && /^[^:/\s]+$/.test(typed) ? `${kind.toLowerCase()}:default/${typed}` : null;
};
