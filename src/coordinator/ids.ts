/**
 * The key by which unit, component and subcomponent ids are compared, ignoring case. An
 * `infrastructureTemplateId` is compared as it is and has no key.
 */
export function idKey(id: string): string {
  return id.toLowerCase();
}
