/** The parts of `domain.system.major[.component]`, from which all identifiers of an entity are made. */
export interface EntityName {
  domain: string;
  system: string;
  major: string;
  component?: string;
}

/** Splits a `metadata.name`; null unless it has three or four parts. */
export const parseEntityName = (name: string): EntityName | null => {
  const parts = name.split(".");
  if (parts.length < 3 || parts.length > 4 || parts.some((part) => part.trim() === "")) return null;
  const [domain = "", system = "", major = "", component] = parts;
  return component === undefined ? { domain, system, major } : { domain, system, major, component };
};

export const systemNameOf = (name: EntityName): string => `${name.domain}.${name.system}.${name.major}`;

/** `urn:<ns>:dp:<domain>:<system>:<major>`, or `urn:<ns>:cmp:…:<component>` for the name of a component. */
export const urnOf = (name: EntityName, namespace: string): string => {
  const system = `${name.domain}:${name.system}:${name.major}`;
  return name.component === undefined
    ? `urn:${namespace}:dp:${system}`
    : `urn:${namespace}:cmp:${system}:${name.component}`;
};

export const taxonomyUrn = (name: string, namespace: string): string => `urn:${namespace}:taxonomy:${name}`;

/** The name in an entity reference: `finance` of `domain:default/finance`, `domain:finance` and `finance`. */
export const nameOfRef = (ref: string): string => {
  const afterKind = ref.slice(ref.indexOf(":") + 1);
  return afterKind.slice(afterKind.lastIndexOf("/") + 1);
};

/**
 * The component id for an entry of `dependsOn`, which may be the id itself, an entity reference, an entity
 * name, or the last part of a sibling's name.
 */
export const componentIdOf = (reference: string, owner: EntityName, namespace: string): string => {
  if (reference.toLowerCase().startsWith("urn:")) return reference;
  const plain = nameOfRef(reference);
  const name = parseEntityName(plain);
  if (name?.component !== undefined) return urnOf(name, namespace);
  return plain.includes(".") ? reference : urnOf({ ...owner, component: plain }, namespace);
};
