/** Pure: the types of a taxonomy and what they define for their systems and components. */

export interface SystemType {
  /** `spec.resourceTypeId`, the `kind` of descriptors. */
  resourceType?: string;
  shoppable?: boolean;
  /** Name of the taxonomy that the type belongs to. */
  taxonomy?: string;
}

export interface ComponentType {
  consumable?: boolean;
  shoppable?: boolean;
}

/** The types of a catalogue, by `name` and by `namespace/name`, both in lower case. */
export interface Taxonomy {
  systemTypes: Readonly<Record<string, SystemType>>;
  componentTypes: Readonly<Record<string, ComponentType>>;
}

export const emptyTaxonomy: Taxonomy = { systemTypes: {}, componentTypes: {} };

/** Finds a type by `outputport`, `default/outputport` or `componenttype:default/outputport`, in any case. */
export function findType<T>(types: Readonly<Record<string, T>>, ref: string | undefined): T | undefined {
  if (ref === undefined) return undefined;
  const key = ref
    .slice(ref.indexOf(":") + 1)
    .trim()
    .toLowerCase();
  if (Object.hasOwn(types, key)) return types[key];
  const name = key.startsWith("default/") ? key.slice("default/".length) : "";
  return Object.hasOwn(types, name) ? types[name] : undefined;
}
