/** A text and a choice for each facet, with how many there are of each value. */
import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { SearchField } from "../../../parts/page/search-field.tsx";
import type { EntityFilter, FacetName, Facets } from "../queries.ts";
import classes from "./catalogue.module.css";

const titles: Record<FacetName, string> = { kind: "Kind", type: "Type", owner: "Owner", tag: "Tag" };

export interface EntityFiltersProps {
  label: string;
  names: readonly FacetName[];
  filter: EntityFilter;
  facets: Facets;
  onChange: (change: EntityFilter) => void;
}

export const EntityFilters = ({ label, names, filter, facets, onChange }: EntityFiltersProps): ReactNode => (
  <div className={classes["filters"]} role="search">
    <SearchField
      aria-label={label}
      placeholder="Name, title or description"
      leftSection={<Icon name="search" size={14} />}
      value={filter.q}
      onSearch={(q) => onChange({ q })}
    />
    {names.map((name) => (
      <Select
        key={name}
        aria-label={titles[name]}
        placeholder={`Any ${titles[name].toLowerCase()}`}
        clearable
        searchable
        data={optionsOf(facets, name, filter[name])}
        value={filter[name] ?? null}
        onChange={(value) => onChange({ [name]: value ?? undefined })}
      />
    ))}
  </div>
);

/** What is chosen stays an option, also where nothing has that value any more. */
const optionsOf = (facets: Facets, name: FacetName, chosen: string | undefined) => {
  const counted = facets[name] ?? [];
  const known = new Map(counted.map(({ value, count }) => [value.toLowerCase(), { value, count }]));
  if (chosen !== undefined && !known.has(chosen.toLowerCase()))
    known.set(chosen.toLowerCase(), { value: chosen, count: 0 });
  return [...known.values()]
    .map(({ value, count }) => ({
      // The address may have other letters than the catalogue; both mean the same.
      value: chosen?.toLowerCase() === value.toLowerCase() ? chosen : value,
      label: `${value.replace(":default/", ":")} (${count})`,
      count,
    }))
    .toSorted((a, b) => b.count - a.count);
};

export const isFiltered = (filter: EntityFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);
