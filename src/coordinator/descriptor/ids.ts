/**
 * The form in which unit, component and subcomponent identifiers are compared: URNs differ by more than
 * case only in `infrastructureTemplateId`, which is compared as it is and never goes through here.
 */
export function idKey(id: string): string {
  return id.toLowerCase();
}
