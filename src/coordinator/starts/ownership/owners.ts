/** Pure. Who owns a unit, as its descriptor says. */

/** Fields of a descriptor. */
export const ownerFields = ["ownerGroup", "devGroup", "projectOwner", "dataProductOwner"];

/** References in lower case, of groups first; empty where the descriptor names nobody. */
export function ownersOf(descriptor: object): string[] {
  const found = ownerFields.flatMap((field) => {
    const value: unknown = Reflect.get(descriptor, field);
    return typeof value === "string" && value.trim() !== "" ? [value.trim().toLowerCase()] : [];
  });
  return [...new Set(found)];
}

export function domainOf(descriptor: object): string | null {
  const value: unknown = Reflect.get(descriptor, "domain");
  return typeof value === "string" && value !== "" ? value : null;
}
