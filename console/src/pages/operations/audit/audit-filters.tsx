import { Button, Group, Select, TextInput } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useRef, type ReactNode } from "react";
import { SearchField } from "../../../parts/page/search-field.tsx";
import { useTypedText } from "../../../parts/page/typed-text.ts";
import { wordsOf } from "../../../parts/values/text.ts";
import { isoOf, localMinute } from "../parts/local-minute.ts";
import { auditAreas } from "../words.ts";
import { isAnyFilter } from "./queries.ts";

const route = getRouteApi("/audit");

type TextFilter = "actor" | "action" | "resource" | "request";

/** What the fields say is in the address, and what the address gets from elsewhere is in the fields. */
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

interface FilterFieldProps<Name extends string> {
  name: Name;
  label: string;
  value: string | undefined;
}

const TextFilterField = ({
  name,
  ...props
}: FilterFieldProps<TextFilter> & { placeholder: string }): ReactNode => {
  const navigate = route.useNavigate();
  return (
    <SearchField
      {...props}
      w="10.5rem"
      onSearch={(text) =>
        void navigate({
          search: (previous) => ({ ...previous, row: undefined, [name]: text }),
          replace: true,
        })
      }
    />
  );
};

/** Typed part by part: the address gets whole times only, and nothing while a part is missing. */
const TimeFilterField = ({ name, label, value }: FilterFieldProps<"from" | "to">): ReactNode => {
  const navigate = route.useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const shown = value === undefined ? "" : localMinute(value);
  // A field with a missing part has no text, as an empty one.
  const isHalf = (text: string): boolean =>
    field.current?.validity.badInput === true || (text !== "" && isoOf(text) === null);
  const [typed, type] = useTypedText(shown, (text) => {
    if (isHalf(text)) return;
    void navigate({
      search: (previous) => ({ ...previous, row: undefined, [name]: isoOf(text) ?? undefined }),
      replace: true,
    });
  });
  return (
    <TextInput
      ref={field}
      type="datetime-local"
      label={label}
      w="12rem"
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={() => isHalf(typed) && type(shown)}
    />
  );
};
