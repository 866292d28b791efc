import { expect, it } from "vitest";
import { runConformance } from "./conformance.ts";

/** Shrinks only. Functions that a case declares for its own type checks do not exist; names with dots are no variables here. */
const notPassed = [
  "fields/qualified_identifier_resolution/qualified_ident",
  "fields/qualified_identifier_resolution/map_field_select",
  "fields/qualified_identifier_resolution/qualified_identifier_resolution_unchecked",
  "fields/qualified_identifier_resolution/ident_with_longest_prefix_check",
  "namespace/qualified/self_eval_qualified_lookup",
  "namespace/namespace/self_eval_container_lookup",
  "namespace/namespace/self_eval_container_lookup_unchecked",
  "string_ext/format/format_%f_halfway_truncate_to_nearest_even",
  "type_deductions/functions/function_result_type",
  "type_deductions/flexible_type_parameter_assignment/unconstrained_type_var_as_dyn",
  "type_deductions/type_parameters/multiple_parameters_generality",
  "type_deductions/type_parameters/multiple_parameters_generality_2",
  "type_deductions/type_parameters/multiple_parameters_parameterized_ovl",
  "type_deductions/type_parameters/multiple_parameters_parameterized_ovl_2",
];

it("passes the public conformance data but for what is listed", () => {
  const { failures, sections } = runConformance();
  expect(failures.map((failure) => failure.split(" ")[0])).toEqual(notPassed);
  expect(sections.size).toBeGreaterThan(18);
});
