import { MultiSelect, TagsInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useCallerRefs } from "../parts/people.tsx";
import { deployedPartsQuery } from "./queries.ts";
import { partsOf } from "./template-form.ts";

interface PortPickerProps {
  unitId: string;
  environment: string;
  value: string[];
  onChange: (ports: string[]) => void;
  error?: string | undefined;
}

/** Deployed components, those that are output ports first. */
export const PortPicker = ({ unitId, environment, value, onChange, error }: PortPickerProps): ReactNode => {
  const { data } = useQuery(deployedPartsQuery(unitId, environment));
  const details = data?.provisioningDetails;
  const deployed = (details?.componentsStatus ?? [])
    .filter(({ status }) => status === "DEPLOYED")
    .map(({ componentId }) => componentId.toLowerCase());
  const parts = partsOf(details?.descriptor, new Set(deployed));
  const optionsOf = (isConsumable: boolean) =>
    parts
      .filter((each) => each.isConsumable === isConsumable)
      .map(({ id, name }) => ({ value: id, label: name }));
  const known = new Set(parts.map(({ id }) => id));
  return (
    <MultiSelect
      size="xs"
      label="Output ports"
      placeholder={unitId === "" ? "Choose the unit first" : value.length === 0 ? "Choose" : ""}
      disabled={unitId === ""}
      searchable
      hidePickedOptions
      data={[
        { group: "Output ports", items: optionsOf(true) },
        { group: "Other components", items: optionsOf(false) },
        { group: "Chosen", items: value.filter((id) => !known.has(id)) },
      ].filter(({ items }) => items.length > 0)}
      nothingFoundMessage="Nothing is deployed that could be asked for"
      value={value}
      onChange={onChange}
      error={error}
    />
  );
};

interface IdentityPickerProps {
  operation: "GRANT" | "REVOKE";
  value: string[];
  onChange: (identities: string[]) => void;
  error?: string | undefined;
}

/** The caller and the caller's groups are offered; others are written. */
export const IdentityPicker = ({ operation, value, onChange, error }: IdentityPickerProps): ReactNode => {
  const own = useCallerRefs();
  return (
    <TagsInput
      size="xs"
      label={operation === "GRANT" ? "For whom" : "From whom"}
      description="You, your groups, or others as user:name and group:name."
      data={[...own]}
      value={value}
      onChange={onChange}
      error={error}
      clearable
    />
  );
};
