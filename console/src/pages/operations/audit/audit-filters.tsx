import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { wordsOf } from "../../../parts/values/text.ts";
import { KeptField } from "../parts/kept-field.tsx";
import { localMinute } from "../parts/local-minute.ts";
import { auditAreas } from "../words.ts";
import { isAnyFilter } from "./queries.ts";

const route = getRouteApi("/audit");
const typingMs = 300;

type TextFilter = "actor" | "action" | "resource" | "request";

/** What the fields say is in the address; when that changes from elsewhere, the fields are made anew. */
export const AuditFilters = (): ReactNode => {
  const filter = route.useSearch();
  const { actor, action, resource, area, request, from, to } = filter;
  const navigate = route.useNavigate();
  return (
    <Group gap="xs" mb="sm" role="search" align="flex-end">
      <TextFilterField name="actor" label="Who" placeholder="user:default/ada" value={actor} />
      <TextFilterField name="action" label="Did" placeholder="createToken" value={action} />
      <TextFilterField name="resource" label="To" placeholder="unit:urn:…*" value={resource} />
      <Select
        label="Area"
        placeholder="Any"
        clearable
        w="8.5rem"
        data={auditAreas.map((value) => ({ value, label: wordsOf(value) }))}
        value={area ?? null}
        onChange={(value) =>
          void navigate({ search: (previous) => ({ ...previous, area: value ?? undefined }) })
        }
      />
      <TimeFilterField name="from" label="From" value={from} />
      <TimeFilterField name="to" label="Before" value={to} />
      <TextFilterField name="request" label="Request" placeholder="id of a request" value={request} />
      {isAnyFilter(filter) && (
        <Button onClick={() => void navigate({ search: ({ env }) => (env === undefined ? {} : { env }) })}>
          Clear
        </Button>
      )}
    </Group>
  );
};

const TextFilterField = ({
  name,
  label,
  placeholder,
  value = "",
}: {
  name: TextFilter;
  label: string;
  placeholder: string;
  value: string | undefined;
}): ReactNode => {
  const navigate = route.useNavigate();
  const write = useDebouncedCallback((text: string) => {
    void navigate({
      search: (previous) => ({ ...previous, row: undefined, [name]: text === "" ? undefined : text }),
      replace: true,
    });
  }, typingMs);
  return (
    <KeptField value={value}>
      {(typed, type) => (
        <TextInput
          label={label}
          placeholder={placeholder}
          value={typed}
          w="10.5rem"
          onChange={({ currentTarget }) => {
            type(currentTarget.value);
            write(currentTarget.value.trim());
          }}
        />
      )}
    </KeptField>
  );
};

const TimeFilterField = ({
  name,
  label,
  value,
}: {
  name: "from" | "to";
  label: string;
  value: string | undefined;
}): ReactNode => {
  const navigate = route.useNavigate();
  return (
    <TextInput
      type="datetime-local"
      label={label}
      w="12rem"
      value={value === undefined ? "" : localMinute(value)}
      onChange={({ currentTarget: { value: text } }) => {
        const at = new Date(text);
        const time = Number.isNaN(at.getTime()) ? undefined : at.toISOString();
        void navigate({
          search: (previous) => ({ ...previous, row: undefined, [name]: time }),
          replace: true,
        });
      }}
    />
  );
};
