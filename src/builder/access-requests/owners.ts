/** Pure: whose a unit is, by its descriptor. */

/** Entity references in lower case; people and groups without a kind or namespace get the usual ones. */
export function ownersOf(descriptor: object): string[] {
  const of = (name: string, kind: string): string[] => {
    const value: unknown = Reflect.get(descriptor, name);
    return typeof value === "string" && value.trim() !== "" ? [entityRef(value.trim(), kind)] : [];
  };
  const owners = [
    ...of("dataProductOwner", "user"),
    ...of("projectOwner", "user"),
    ...of("ownerGroup", "group"),
  ];
  return [...new Set(owners)];
}

function entityRef(text: string, usualKind: string): string {
  const [, kind = usualKind, rest = ""] = /^(?:([^:/]+):)?(.*)$/s.exec(text) ?? [];
  return `${kind}:${rest.includes("/") ? rest : `default/${rest}`}`.toLowerCase().slice(0, 512);
}
