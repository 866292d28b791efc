/** The inputs of forms. */
import {
  Checkbox,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Radio,
  Select,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import {
  enumOptionsValueForIndex,
  enumOptionsIndexForValue,
  getInputProps,
  type RegistryWidgetsType,
  type WidgetProps,
} from "@rjsf/utils";
import type { ReactNode } from "react";
import { formatExample } from "./formats.ts";
import { inputProps } from "./input-props.ts";
import { EntityWidget, TagsWidget } from "./pickers/entity-widgets.tsx";
import { RepositoryWidget } from "./pickers/repository-widget.tsx";

const TextWidget = (props: WidgetProps): ReactNode => {
  const { value, onChange, options, schema } = props;
  const { type } = getInputProps(schema, props["type"] as string | undefined, options, false);
  if (type === "number")
    return (
      <NumberInput
        {...inputProps(props)}
        size="xs"
        value={(value as number | undefined) ?? ""}
        onChange={(next) => onChange(next === "" ? undefined : next)}
        hideControls
      />
    );
  return (
    <TextInput
      {...inputProps(props)}
      type={type}
      value={(value as string | undefined) ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? undefined : currentTarget.value)}
      autoComplete="off"
      placeholder={props.placeholder || formatExample(schema.format ?? "")}
    />
  );
};

const typed = (type: string) => {
  const Typed = (props: WidgetProps): ReactNode => <TextWidget {...props} type={type} />;
  return Typed;
};

/** Inputs of browsers give 09:30, and the format asks for seconds and a zone: which zone is meant nobody but the person knows. */
const TimeWidget = (props: WidgetProps): ReactNode =>
  props.schema.format === "time" ? <TextWidget {...props} /> : <TextWidget {...props} type="time" />;

const TextareaWidget = (props: WidgetProps): ReactNode => (
  <Textarea
    {...inputProps(props)}
    size="xs"
    autosize
    minRows={props.options.rows ?? 3}
    maxRows={20}
    value={(props.value as string | undefined) ?? ""}
    onChange={({ currentTarget }) =>
      props.onChange(currentTarget.value === "" ? undefined : currentTarget.value)
    }
  />
);

const PasswordWidget = (props: WidgetProps): ReactNode => (
  <PasswordInput
    {...inputProps(props)}
    size="xs"
    autoComplete="new-password"
    visibilityToggleButtonProps={{ "aria-label": "Show or hide the secret" }}
    value={(props.value as string | undefined) ?? ""}
    onChange={({ currentTarget }) =>
      props.onChange(currentTarget.value === "" ? undefined : currentTarget.value)
    }
  />
);

/** Options are known by their place, since their values may be of any type. */
const placesOf = ({ options: { enumOptions = [], enumDisabled } }: WidgetProps) =>
  enumOptions.map(({ value, label }, index) => ({
    value: String(index),
    label,
    disabled: Array.isArray(enumDisabled) && enumDisabled.includes(value),
  }));

const chosenOf = (value: unknown, { options: { enumOptions }, multiple = false }: WidgetProps) =>
  enumOptionsIndexForValue(value, enumOptions, multiple);

const valueAt = (chosen: string | string[], { options: { enumOptions } }: WidgetProps): unknown =>
  enumOptionsValueForIndex(chosen, enumOptions, undefined);

const SelectWidget = (props: WidgetProps): ReactNode => {
  const { value, onChange, required = false, multiple = false } = props;
  if (multiple)
    return (
      <MultiSelect
        {...inputProps(props)}
        size="xs"
        searchable
        data={placesOf(props)}
        value={[chosenOf(value, props) ?? []].flat()}
        onChange={(chosen) => onChange(valueAt(chosen, props))}
        comboboxProps={{ withinPortal: false }}
      />
    );
  const chosen = chosenOf(value, props);
  return (
    <Select
      {...inputProps(props)}
      searchable={placesOf(props).length > 8}
      clearable={!required}
      data={placesOf(props)}
      value={typeof chosen === "string" ? chosen : null}
      onChange={(next) => onChange(next === null ? undefined : valueAt(next, props))}
      comboboxProps={{ withinPortal: false }}
    />
  );
};

const groupProps = (props: WidgetProps) => {
  const { variant: _variant, ...rest } = inputProps(props);
  return rest;
};

const CheckboxWidget = (props: WidgetProps): ReactNode => {
  const { withAsterisk: _asterisk, variant: _variant, readOnly, ...rest } = inputProps(props);
  return (
    <Checkbox
      {...rest}
      size="xs"
      disabled={readOnly}
      checked={props.value === true}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
    />
  );
};

const CheckboxesWidget = (props: WidgetProps): ReactNode => (
  <Checkbox.Group
    {...groupProps(props)}
    size="xs"
    value={[chosenOf(props.value, { ...props, multiple: true }) ?? []].flat()}
    onChange={(chosen) => props.onChange(valueAt(chosen, props))}
  >
    <Stack gap={6} mt={6}>
      {placesOf(props).map((option) => (
        <Checkbox key={option.value} size="xs" {...option} />
      ))}
    </Stack>
  </Checkbox.Group>
);

const RadioWidget = (props: WidgetProps): ReactNode => {
  const chosen = chosenOf(props.value, props);
  return (
    <Radio.Group
      {...groupProps(props)}
      size="xs"
      value={typeof chosen === "string" ? chosen : null}
      onChange={(next) => props.onChange(valueAt(next, props))}
    >
      <Stack gap={6} mt={6}>
        {placesOf(props).map((option) => (
          <Radio key={option.value} size="xs" {...option} />
        ))}
      </Stack>
    </Radio.Group>
  );
};

export const widgets: RegistryWidgetsType = {
  TextWidget,
  TextareaWidget,
  PasswordWidget,
  SelectWidget,
  CheckboxWidget,
  CheckboxesWidget,
  RadioWidget,
  EmailWidget: typed("email"),
  URLWidget: typed("url"),
  DateWidget: typed("date"),
  DateTimeWidget: TextWidget,
  TimeWidget,
  UpDownWidget: typed("number"),
  RangeWidget: typed("number"),
  FileWidget: TextWidget,
  ColorWidget: TextWidget,
  EntityPicker: EntityWidget,
  OwnedEntityPicker: EntityWidget,
  OwnerPicker: EntityWidget,
  MyGroupsPicker: EntityWidget,
  EntityRelationsPicker: EntityWidget,
  EntityComponentsPicker: EntityWidget,
  MultiEntityPicker: EntityWidget,
  EntityTagsPicker: TagsWidget,
  RepoUrlPicker: RepositoryWidget,
};
