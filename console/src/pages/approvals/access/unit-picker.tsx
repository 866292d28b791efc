import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { shortName } from "../parts/names.ts";
import { deployedUnitsQuery } from "./queries.ts";

export interface UnitPickerProps {
  environment: string;
  value: string;
  onChange: (unitId: string) => void;
  label?: string;
  error?: string | undefined;
}

const typingMs = 250;

/** A unit of which something is deployed in the environment, found by a part of its name. */
export const UnitPicker = ({ environment, value, onChange, label, error }: UnitPickerProps): ReactNode => {
  const [search, setSearch] = useState("");
  const chosenName = value === "" ? "" : shortName(value);
  const [asked] = useDebouncedValue(search === chosenName ? "" : search, typingMs);
  const { data } = useQuery(deployedUnitsQuery(environment, asked));
  const found = (data?.data ?? []).map(({ deploymentUnitId, name }) => ({
    value: deploymentUnitId,
    label: name ?? shortName(deploymentUnitId),
  }));
  const isThere = value === "" || found.some((each) => each.value === value);
  return (
    <Select
      label={label ?? "Unit"}
      placeholder="Name of a unit"
      searchable
      data={isThere ? found : [{ value, label: chosenName }, ...found]}
      // The server has looked; what it found is shown as it is.
      filter={({ options }) => options}
      searchValue={search}
      onSearchChange={setSearch}
      value={value === "" ? null : value}
      onChange={(unitId) => onChange(unitId ?? "")}
      nothingFoundMessage={`Nothing like it is deployed in ${environment}`}
      error={error}
    />
  );
};
