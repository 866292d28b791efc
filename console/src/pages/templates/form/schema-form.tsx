/** One page of a template as a form. Loaded on its own: the library is large. */
// The library's index brings its test helpers along, and a validator with them.
import Form, { type FormProps } from "@rjsf/core/lib/components/Form.js";
import type { ErrorSchema } from "@rjsf/utils";
import { useMemo, type ReactNode } from "react";
import type { Fault } from "./check-value.ts";
import type { Values } from "./json.ts";
import { splitSchema } from "./split-schema.ts";
import { templates } from "./field-templates.tsx";
import { createValidator, errorSchemaOf } from "./validator.ts";
import { widgets } from "./widgets.tsx";

export interface SchemaFormProps {
  /** As the server sends it, with its `ui:` keys. */
  page: unknown;
  value: Values;
  onChange: (value: Values) => void;
  /** What the server found. */
  faults: readonly Fault[];
  /** The values fit. */
  onSubmit: (value: Values) => void;
  /** Unique on the page. */
  idPrefix: string;
  /** The buttons. */
  children: ReactNode;
}

type Base = FormProps<Values>;

const behaviour: Base["experimental_defaultFormStateBehavior"] = {
  emptyObjectFields: "skipEmptyDefaults",
  arrayMinItems: { populate: "requiredOnly" },
};

export const SchemaForm = (props: SchemaFormProps): ReactNode => {
  const { page, value, onChange, faults, onSubmit, idPrefix, children } = props;
  const { schema, uiSchema } = useMemo(() => splitSchema(page), [page]);
  const validator = useMemo(() => createValidator(page), [page]);
  const extraErrors = useMemo(() => errorSchemaOf(faults) as ErrorSchema<Values>, [faults]);
  // The page has its heading already.
  const { title: _title, description: _description, ...rest } = schema;
  return (
    <Form<Values>
      schema={{ ...rest, type: "object" }}
      uiSchema={uiSchema}
      formData={value}
      validator={validator as Base["validator"]}
      templates={templates as NonNullable<Base["templates"]>}
      widgets={widgets as NonNullable<Base["widgets"]>}
      extraErrors={extraErrors}
      onChange={({ formData }) => onChange(formData ?? {})}
      onSubmit={({ formData }) => onSubmit(formData ?? {})}
      // The fields say what is wrong; without this the library logs it too.
      onError={() => {}}
      idPrefix={idPrefix}
      showErrorList={false}
      focusOnFirstError
      noHtml5Validate
      experimental_defaultFormStateBehavior={behaviour}
    >
      {children}
    </Form>
  );
};
