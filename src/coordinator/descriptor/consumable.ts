/** Pure. Whether others may be given access to a component. */
import type { ComponentTypes } from "../ports.ts";

/**
 * What the component says itself, else what its type in the taxonomy says, else true for output ports only. Its type is
 * the one that `instanceOf` names (`componenttype:default/outputport`), else the one that has its `kind` as its resource
 * type or its name.
 */
export function isConsumable(component: object, types: ComponentTypes): boolean {
  const kind = textOf(component, "kind");
  const type = typeOf(types, textOf(component, "instanceOf").replace(/^componenttype:/, "") || kind);
  return ownWord(component) ?? type?.consumable ?? kind === "outputport";
}

const typeOf = (types: ComponentTypes, name: string) =>
  Object.hasOwn(types, name) ? types[name] : undefined;

/** Templates that quote every value write it as text. */
function ownWord(component: object): boolean | undefined {
  const value: unknown = Reflect.get(component, "consumable");
  if (typeof value === "boolean") return value;
  const text = textOf(component, "consumable");
  return text === "true" ? true : text === "false" ? false : undefined;
}

function textOf(owner: object, field: string): string {
  const value: unknown = Reflect.get(owner, field);
  return typeof value === "string" ? value.trim().toLowerCase() : "";
}
