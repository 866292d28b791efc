import type { WidgetProps } from "@rjsf/utils";

/** The smallest inputs have smaller texts than anything else on a page. */
const small = { fz: "xs" } as const;

/** What each input takes from its field; nothing of a template gets through besides texts and flags. */
export const inputProps = (props: WidgetProps) => {
  const { id, label, hideLabel, required, disabled, readonly, autofocus, placeholder, rawErrors, schema } =
    props;
  const { options, onBlur, onFocus, value } = props;
  const description = options.description ?? schema.description;
  return {
    id,
    label: hideLabel === true ? undefined : label,
    "aria-label": hideLabel === true ? label : undefined,
    description: description === undefined || hideLabel === true ? undefined : description,
    withAsterisk: required === true,
    "aria-required": required === true ? true : undefined,
    // What cannot be changed can be read and copied all the same.
    readOnly: disabled === true || readonly === true,
    variant: disabled === true || readonly === true ? "filled" : "default",
    "data-autofocus": autofocus === true ? true : undefined,
    errorProps: small,
    descriptionProps: small,
    placeholder: placeholder === "" ? undefined : placeholder,
    error: rawErrors !== undefined && rawErrors.length > 0 ? rawErrors.join(" ") : undefined,
    onBlur: () => onBlur(id, value),
    onFocus: () => onFocus(id, value),
  };
};
