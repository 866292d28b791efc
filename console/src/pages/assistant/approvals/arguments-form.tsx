import { ActionIcon, Checkbox, Group, NumberInput, Select, Stack, Text, Textarea } from "@mantine/core";
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import {
  fieldOf,
  firstValue,
  furtherFields,
  isSame,
  shownFields,
  type Arguments,
  type Field,
  type JsonSchema,
} from "./argument-fields.ts";
import classes from "./approvals.module.css";

export interface ArgumentsFormProps {
  schema: JsonSchema | null;
  /** What the model wants to call the tool with. */
  original: Arguments;
  value: Arguments;
  onChange: (value: Arguments) => void;
  /** Names of fields whose text is no JSON at the moment. */
  broken: ReadonlySet<string>;
  onBroken: (name: string, isBroken: boolean) => void;
}

/** A field for each argument; what no field fits is edited as JSON. */
export const ArgumentsForm = (props: ArgumentsFormProps): ReactNode => {
  const { schema, original, value, onChange } = props;
  const further = furtherFields(schema, value);
  return (
    <Stack gap="xs">
      {shownFields(schema, { original, value }).map((field) => (
        <FieldRow key={field.name} field={field} {...props} />
      ))}
      {further.length > 0 && (
        <Select
          aria-label="Add an argument"
          placeholder="Add an argument"
          data={further}
          value={null}
          w="14rem"
          onChange={(name) => {
            if (name !== null) onChange({ ...value, [name]: firstValue(fieldOf(schema, name, undefined)) });
          }}
        />
      )}
    </Stack>
  );
};

const FieldRow = ({ field, ...form }: ArgumentsFormProps & { field: Field }): ReactNode => {
  const { original, value, onChange } = form;
  const { name, isRequired } = field;
  const isChanged = !isSame(original[name], value[name]);
  const wasThere = name in original;
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <div className={classes["field"]} data-changed={isChanged}>
        <FieldInput field={field} {...form} />
        {isChanged && (
          <Text size="xs" className={classes["changed"]}>
            Changed by you; {wasThere ? <>it was {shortJson(original[name])}</> : "it was not given"}
          </Text>
        )}
      </div>
      {!isRequired && (
        <ActionIcon
          aria-label={`Leave out ${name}`}
          title="Leave out"
          mt={20}
          onClick={() => {
            const { [name]: _, ...rest } = value;
            form.onBroken(name, false);
            onChange(rest);
          }}
        >
          <Icon name="close" size={13} />
        </ActionIcon>
      )}
    </Group>
  );
};

const hasLines = (value: unknown): boolean => typeof value === "string" && value.includes("\n");

/** Enter is pressed to be done: in a name or an address a line break would change it unseen. Shift and Enter make one. */
const withoutLineBreak = (event: KeyboardEvent): void => {
  if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) event.preventDefault();
};

const FieldInput = ({
  field,
  original,
  value,
  onChange,
  broken,
  onBroken,
}: ArgumentsFormProps & { field: Field }): ReactNode => {
  const { name, kind, schema, options, isRequired, description } = field;
  const set = (next: unknown): void => onChange({ ...value, [name]: next });
  const current = value[name];
  const common = {
    label: name,
    description: description === "" ? undefined : description,
    size: "xs",
    required: isRequired,
  } as const;
  switch (kind) {
    case "choice":
      return (
        <Select {...common} data={options} value={(current as string | undefined) ?? null} onChange={set} />
      );
    case "truth":
      return (
        <Checkbox
          {...common}
          required={false}
          checked={current === true}
          onChange={({ currentTarget }) => set(currentTarget.checked)}
        />
      );
    case "number":
      return (
        <NumberInput
          {...common}
          value={(current as number | undefined) ?? ""}
          onChange={(next) => set(typeof next === "number" ? next : undefined)}
          allowDecimal={schema.type !== "integer"}
        />
      );
    case "lines":
      return (
        <Textarea
          {...common}
          label={`${name} (one a line)`}
          autosize
          minRows={1}
          maxRows={8}
          value={((current as string[] | undefined) ?? []).join("\n")}
          onChange={({ currentTarget }) =>
            set(currentTarget.value === "" ? [] : currentTarget.value.split("\n"))
          }
        />
      );
    case "text":
      // One component for short and long texts: another one, once the text gets long, would lose the focus while somebody types.
      return (
        <Textarea
          {...common}
          autosize
          minRows={1}
          maxRows={8}
          value={(current as string | undefined) ?? ""}
          onChange={({ currentTarget }) => set(currentTarget.value)}
          {...(!hasLines(original[name]) && { onKeyDown: withoutLineBreak })}
        />
      );
    case "json":
      return (
        <JsonField
          {...common}
          value={current}
          onValue={set}
          isBroken={broken.has(name)}
          onBroken={(is) => onBroken(name, is)}
        />
      );
  }
};

interface JsonFieldProps {
  label: string;
  description: string | undefined;
  required: boolean;
  value: unknown;
  onValue: (value: unknown) => void;
  isBroken: boolean;
  onBroken: (isBroken: boolean) => void;
}

const JsonField = ({ value, onValue, isBroken, onBroken, label, ...field }: JsonFieldProps): ReactNode => {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2) ?? "");
  return (
    <Textarea
      {...field}
      label={`${label} (JSON)`}
      size="xs"
      autosize
      minRows={1}
      maxRows={10}
      classNames={{ input: classes["json"] ?? "" }}
      spellCheck={false}
      value={text}
      error={isBroken ? "This is no JSON." : undefined}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        try {
          onValue(JSON.parse(currentTarget.value));
          onBroken(false);
        } catch {
          onBroken(true);
        }
      }}
    />
  );
};

const maxShown = 60;

const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
};
