/** How fields, groups and lists of a form look. All texts of templates are shown as text. */
import { ActionIcon, Button, Group, Input, Text, TextInput, Tooltip } from "@mantine/core";
import {
  ADDITIONAL_PROPERTY_FLAG,
  buttonId,
  canExpand,
  getUiOptions,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  type FieldTemplateProps,
  type IconButtonProps,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
  type TemplatesType,
  type WrapIfAdditionalTemplateProps,
} from "@rjsf/utils";
import type { ReactNode } from "react";
import { Icon, type IconName } from "../../../parts/page/icon.tsx";
import classes from "./form.module.css";

/** Inputs say their errors themselves; groups and lists have nobody else to say them. */
const FieldTemplate = (props: FieldTemplateProps): ReactNode => {
  const { id, hidden, children, rawErrors = [], rawHelp, schema, uiSchema, registry } = props;
  if (hidden === true) return <div hidden>{children}</div>;
  const { WrapIfAdditionalTemplate } = registry.templates;
  const isContainer = (schema.type === "array" || schema.type === "object") && !hasWidget(props);
  return (
    <WrapIfAdditionalTemplate {...props} uiSchema={uiSchema ?? {}}>
      {children}
      {isContainer && rawErrors.length > 0 && (
        <Input.Error id={`${id}__error`} mt={4} role="alert">
          {rawErrors.join(" ")}
        </Input.Error>
      )}
      {rawHelp !== undefined && rawHelp !== "" && (
        <Text size="xs" c="dimmed" mt={4}>
          {rawHelp}
        </Text>
      )}
    </WrapIfAdditionalTemplate>
  );
};

const hasWidget = ({ schema, uiSchema, registry }: FieldTemplateProps): boolean =>
  uiSchema?.["ui:widget"] !== undefined ||
  (schema.type === "array" && registry.schemaUtils.isMultiSelect(schema));

const WrapIfAdditionalTemplate = (props: WrapIfAdditionalTemplateProps): ReactNode => {
  const { id, label, children, schema, disabled, readonly, onKeyRenameBlur, onRemoveProperty } = props;
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return <div className={classes["field"]}>{children}</div>;
  return (
    <div className={classes["pair"]}>
      <TextInput
        label="Key"
        id={`${id}-key`}
        key={label}
        defaultValue={label}
        onBlur={onKeyRenameBlur}
        disabled={disabled || readonly}
      />
      <div>{children}</div>
      <IconButton icon="close" label={`Remove ${label}`} onClick={onRemoveProperty} />
    </div>
  );
};

const rootDepth = 0;

const ObjectFieldTemplate = (props: ObjectFieldTemplateProps): ReactNode => {
  const { title, description, properties, fieldPathId, schema, uiSchema, formData, onAddProperty } = props;
  const { disabled, readonly } = props;
  const content = (
    <>
      {properties.map(({ name, content: field, hidden }) => (
        <div key={name} hidden={hidden}>
          {field}
        </div>
      ))}
      {canExpand(schema, uiSchema, formData) && (
        <Button id={buttonId(fieldPathId, "add")} onClick={onAddProperty} disabled={disabled || readonly}>
          Add a key
        </Button>
      )}
    </>
  );
  if (fieldPathId.path.length === rootDepth) return <div className={classes["fields"]}>{content}</div>;
  const isItem = typeof fieldPathId.path.at(-1) === "number";
  return (
    <fieldset className={isItem ? classes["item"] : classes["group"]} id={fieldPathId.$id}>
      <legend className={isItem ? classes["unseen"] : classes["legend"]}>{title}</legend>
      {description !== undefined && description !== "" && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
      <div className={isItem ? classes["row"] : classes["fields"]}>{content}</div>
    </fieldset>
  );
};

const ArrayFieldTemplate = (props: ArrayFieldTemplateProps): ReactNode => {
  const { title, items, canAdd, onAddClick, fieldPathId, schema, uiSchema, required, disabled, readonly } =
    props;
  const options = getUiOptions(uiSchema);
  const name = options.title ?? title;
  const description = options.description ?? schema.description;
  return (
    <fieldset className={classes["group"]} id={fieldPathId.$id}>
      <legend className={classes["legend"]}>
        {name}
        {required === true && (
          <span aria-hidden className={classes["star"]}>
            {" *"}
          </span>
        )}
      </legend>
      {description !== undefined && (
        <Text size="xs" c="dimmed" mb={4}>
          {description}
        </Text>
      )}
      {items}
      {canAdd === true && (
        <Button id={buttonId(fieldPathId, "add")} onClick={onAddClick} disabled={disabled || readonly}>
          {`Add to ${name}`}
        </Button>
      )}
    </fieldset>
  );
};

const ArrayFieldItemTemplate = (props: ArrayFieldItemTemplateProps): ReactNode => {
  const { children, index, hasToolbar, buttonsProps } = props;
  const { hasMoveUp, hasMoveDown, hasRemove, onMoveUpItem, onMoveDownItem, onRemoveItem } = buttonsProps;
  const place = `${index + 1}`;
  return (
    <div className={classes["line"]}>
      <Text size="xs" c="dimmed" className={classes["place"]} aria-hidden>
        {place}
      </Text>
      <div className={classes["grow"]}>{children}</div>
      {hasToolbar && (
        <Group gap={2} wrap="nowrap" className={classes["tools"]}>
          {hasMoveUp && <IconButton icon="up" label={`Move ${place} up`} onClick={onMoveUpItem} />}
          {hasMoveDown && <IconButton icon="down" label={`Move ${place} down`} onClick={onMoveDownItem} />}
          {hasRemove && <IconButton icon="close" label={`Remove ${place}`} onClick={onRemoveItem} />}
        </Group>
      )}
    </div>
  );
};

interface SmallButton {
  icon: IconName;
  label: string;
  onClick: (event?: unknown) => void;
}

const IconButton = ({ icon, label, onClick }: SmallButton): ReactNode => (
  <Tooltip label={label}>
    <ActionIcon aria-label={label} onClick={() => onClick()}>
      <Icon name={icon} size={14} />
    </ActionIcon>
  </Tooltip>
);

const MultiSchemaFieldTemplate = ({
  selector,
  optionSchemaField,
}: MultiSchemaFieldTemplateProps): ReactNode => (
  <div className={classes["fields"]}>
    <div>{selector}</div>
    {optionSchemaField}
  </div>
);

const nothing = (): ReactNode => null;

/** The library clears inputs with it. */
const ClearButton = ({ onClick }: IconButtonProps): ReactNode => (
  <ActionIcon aria-label="Clear" onClick={onClick}>
    <Icon name="close" size={14} />
  </ActionIcon>
);

export const templates: Partial<Omit<TemplatesType, "ButtonTemplates">> & {
  ButtonTemplates: Partial<TemplatesType["ButtonTemplates"]>;
} = {
  FieldTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
  MultiSchemaFieldTemplate,
  WrapIfAdditionalTemplate,
  // Inputs have their own label, description and error.
  DescriptionFieldTemplate: nothing,
  FieldErrorTemplate: nothing,
  FieldHelpTemplate: nothing,
  ErrorListTemplate: nothing,
  UnsupportedFieldTemplate: ({ reason }) => (
    <Text size="sm" c="dimmed">
      This field cannot be shown: {reason}
    </Text>
  ),
  ButtonTemplates: { ClearButton, SubmitButton: nothing },
};
