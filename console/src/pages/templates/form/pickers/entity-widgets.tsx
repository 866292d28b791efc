/** Pickers of entities: what the catalogue knows is found by typing. */
import { MultiSelect, Select, TagsInput, type OptionsFilter } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { WidgetProps } from "@rjsf/utils";
import { useState, type ReactNode } from "react";
import { referenceOf, titleOf, type Entity } from "../../../../api/entity.ts";
import { useSession } from "../../../../api/session.ts";
import { ownGroupsQuery, pickable, pickableQuery, tagsQuery } from "../../queries.ts";
import { inputProps } from "../input-props.ts";
import { textsOf } from "../json.ts";
import type { Pick } from "../split-schema.ts";
import { filtersOf, foundBy, typedReference, type PickerCaller } from "./entity-filter.ts";

const typingMs = 200;

const allOptions: OptionsFilter = ({ options }) => options;

interface Option {
  value: string;
  label: string;
}

const anything: Pick = {
  kinds: [],
  filters: [],
  defaultKind: null,
  allowsOthers: true,
  hosts: [],
  owners: [],
  organizations: [],
  projects: [],
  repositories: [],
};

export const EntityWidget = (props: WidgetProps): ReactNode => {
  const { value, onChange, options, schema, required = false, uiSchema } = props;
  const pick = (options["pick"] as Pick | undefined) ?? anything;
  const widget = String(uiSchema?.["ui:widget"]);
  const caller = useSession()?.caller ?? null;
  const [typed, setTyped] = useState("");
  const [term] = useDebouncedValue(typed, typingMs);
  const chosen = textsOf(value);
  // What is chosen already is no search.
  const wanted = chosen.some((each) => labelOf(each) === term) ? "" : term;
  const query = usePickable({ widget, pick, caller, term: wanted });
  const data = withOthers(
    (query.data ?? []).map(optionOf),
    chosen,
    pick.allowsOthers ? typedReference(typed, pick) : null,
  );
  const shared = {
    ...inputProps(props),
    size: "xs" as const,
    data,
    searchable: true,
    searchValue: typed,
    onSearchChange: setTyped,
    comboboxProps: { withinPortal: false },
    nothingFoundMessage: query.isPending ? "Looking…" : "Nothing in the catalogue fits",
    // The catalogue has filtered already.
    filter: allOptions,
    ...(query.isError && { error: "The catalogue could not be asked. A reference can be typed." }),
  };
  if (schema.type === "array")
    return (
      <MultiSelect
        {...shared}
        value={chosen}
        onChange={(next) => onChange(next.length === 0 ? undefined : next)}
      />
    );
  return (
    <Select
      {...shared}
      clearable={!required}
      value={chosen[0] ?? null}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
};

interface Search {
  widget: string;
  pick: Pick;
  caller: PickerCaller | null;
  term: string;
}

/** What the catalogue has for that picker. */
const usePickable = ({ widget, pick, caller, term }: Search) => {
  const filters = filtersOf(widget, pick, caller);
  const isOfOwn = widget === "MyGroupsPicker";
  const all = useQuery({
    ...pickableQuery(filters, term),
    placeholderData: keepPreviousData,
    enabled: !isOfOwn,
  });
  // All groups of the caller are known, so none is left out by the size of a page.
  const own = useQuery({
    ...ownGroupsQuery(caller?.groups ?? [], filters),
    enabled: isOfOwn,
    select: (groups) => foundBy(term, groups).slice(0, pickable),
  });
  return isOfOwn ? own : all;
};

const optionOf = (entity: Entity): Option => {
  const reference = referenceOf(entity);
  const title = titleOf(entity);
  return {
    value: reference,
    label: title === entity.metadata.name ? labelOf(reference) : `${title} (${labelOf(reference)})`,
  };
};

/** `group:default/fleet` is read as `group:fleet`. */
const labelOf = (reference: string): string => reference.replace(":default/", ":");

const withOthers = (found: readonly Option[], chosen: readonly string[], typed: string | null): Option[] => {
  const known = new Set(found.map(({ value }) => value));
  const missing = [...chosen, ...(typed === null ? [] : [typed])].filter((value) => !known.has(value));
  return [...found, ...[...new Set(missing)].map((value) => ({ value, label: labelOf(value) }))];
};

/** Tags of what the catalogue knows; new ones can be typed. */
export const TagsWidget = (props: WidgetProps): ReactNode => {
  const { data = [] } = useQuery(tagsQuery);
  return (
    <TagsInput
      {...inputProps(props)}
      size="xs"
      data={data}
      value={textsOf(props.value)}
      onChange={(next) => props.onChange(next.length === 0 ? undefined : next)}
      comboboxProps={{ withinPortal: false }}
    />
  );
};
