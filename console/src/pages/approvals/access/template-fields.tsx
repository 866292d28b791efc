import { Checkbox, NumberInput, Select, TagsInput, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { FormField } from "./template-form.ts";

export interface TemplateFieldProps {
  field: FormField;
  value: unknown;
  onChange: (value: unknown) => void;
  /** Why the value does not do. */
  error?: string | undefined;
}

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

export const TemplateField = ({ field, value, onChange, error }: TemplateFieldProps): ReactNode => {
  const common = {
    size: "xs",
    label: field.title,
    description: field.description,
    error,
    withAsterisk: field.isRequired,
  } as const;
  const onText = ({ currentTarget }: { currentTarget: { value: string } }): void =>
    onChange(currentTarget.value === "" ? undefined : currentTarget.value);
  switch (field.kind) {
    case "text":
      return <TextInput {...common} value={textIn(value)} onChange={onText} />;
    case "long":
      return (
        <Textarea {...common} autosize minRows={2} maxRows={8} value={textIn(value)} onChange={onText} />
      );
    case "choice":
      return (
        <Select
          {...common}
          data={field.choices}
          clearable={!field.isRequired}
          value={textIn(value) === "" ? null : textIn(value)}
          onChange={(chosen) => onChange(chosen ?? undefined)}
        />
      );
    case "number":
      return (
        <NumberInput
          {...common}
          value={typeof value === "number" ? value : ""}
          onChange={(number) => onChange(typeof number === "number" ? number : undefined)}
        />
      );
    case "flag":
      return (
        <Checkbox
          size="xs"
          label={field.title}
          description={field.description}
          error={error}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case "list":
      return (
        <TagsInput
          {...common}
          value={Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : []}
          onChange={onChange}
        />
      );
    default:
      return (
        <Textarea
          {...common}
          label={`${field.title} (JSON)`}
          autosize
          minRows={2}
          maxRows={10}
          value={textIn(value)}
          onChange={onText}
        />
      );
  }
};
