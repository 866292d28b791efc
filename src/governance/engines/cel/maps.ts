/** Maps of expressions: made by them (Map) or objects of a descriptor, whose keys are strings. */
import { CelError, type TypeName, typeNameOf, Uint, type Value } from "./values.ts";

type PlainMap = Readonly<Record<string, Value>>;

const keyTypes: ReadonlySet<TypeName> = new Set(["bool", "int", "string", "uint"]);

/** The value, or undefined where there is none. Numbers that are equal are the same key. */
export function entryOf(map: object, key: Value): Value {
  if (map instanceof Map) return entryOfMap(map, key);
  if (typeof key !== "string") return undefined;
  return Object.hasOwn(map, key) ? (map as PlainMap)[key] : undefined;
}

function entryOfMap(map: ReadonlyMap<Value, Value>, key: Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const number = wholeNumber(key);
  if (number === undefined) return undefined;
  if (map.has(number)) return map.get(number);
  for (const [each, value] of map) if (each instanceof Uint && each.value === number) return value;
  return undefined;
}

const wholeNumber = (key: Value): bigint | undefined => {
  if (typeof key === "bigint") return key;
  if (key instanceof Uint) return key.value;
  return typeof key === "number" && Number.isInteger(key) ? BigInt(key) : undefined;
};

export const sizeOfMap = (map: object): number => (map instanceof Map ? map.size : Object.keys(map).length);

export const keysOf = (map: object): readonly Value[] =>
  map instanceof Map ? [...(map.keys() as Iterable<Value>)] : Object.keys(map);

export const entriesOf = (map: object): readonly (readonly [Value, Value])[] =>
  map instanceof Map ? [...(map as Map<Value, Value>)] : Object.entries(map);

/** Refuses a key of another type than bool, int, uint and string, and one that is there already. */
export function addEntry(map: Map<Value, Value>, key: Value, value: Value): void {
  if (!keyTypes.has(typeNameOf(key))) throw new CelError(`A ${typeNameOf(key)} can't be the key of a map`);
  if (entryOf(map, key) !== undefined) throw new CelError(`The map has the key ${keyText(key)} twice`);
  map.set(key, value);
}

export const keyText = (key: Value): string => {
  if (typeof key === "string") return `"${key}"`;
  if (key instanceof Uint) return `${key.value}u`;
  // The text of an object is made by its own functions, which need not be functions.
  if (typeof key === "object" && key !== null)
    throw new CelError(`A ${typeNameOf(key)} can't be the key of a map`);
  return String(key);
};
