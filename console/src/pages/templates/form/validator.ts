/** What the form library asks about schemas, answered by check-value.ts. */
import {
  ErrorSchemaBuilder,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidationData,
  type ValidatorType,
} from "@rjsf/utils";
import { faultsOf, isValid, type Fault } from "./check-value.ts";
import { pickerFaults } from "./picker-faults.ts";

/** As errors of the library: each belongs to one field. */
export const errorSchemaOf = (faults: readonly Fault[]) => {
  const builder = new ErrorSchemaBuilder();
  for (const { path, message } of faults) builder.addErrors(message, [...path]);
  return builder.ErrorSchema;
};

const toError = ({ path, message }: Fault): RJSFValidationError => ({
  message,
  property: path.map((key) => `.${key}`).join(""),
  stack: `${path.join(" ")} ${message}`,
});

/** One fault for each field: the first says enough. */
const firstOfEach = (faults: readonly Fault[]): Fault[] => [
  ...new Map(faults.toReversed().map((fault) => [fault.path.join("/"), fault])).values(),
];

export const createValidator = (page: unknown): ValidatorType => ({
  validateFormData(value: unknown, schema: RJSFSchema): ValidationData<unknown> {
    const faults = firstOfEach([...faultsOf(schema, value), ...pickerFaults(page, value)]).toReversed();
    return { errors: faults.map(toError), errorSchema: errorSchemaOf(faults) };
  },
  isValid: (schema: RJSFSchema, value: unknown, root: RJSFSchema) => isValid(schema, value, root),
  rawValidation: (schema: RJSFSchema, value: unknown) => ({
    errors: faultsOf(schema, value).map(toError) as never[],
  }),
});
