/** Pure: the owners of a unit, read from its descriptor. */

/** Entity references in lower case; users and groups without a kind or namespace get the default ones. */
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
