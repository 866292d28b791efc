/** Fields and indexes of values. */
import { entryOf, keyText } from "./maps.ts";
import { CelError, fail, none, Optional, optionalOf, typeNameOf, Uint, type Value } from "./values.ts";

const isMap = (value: Value): value is object => typeof value === "object" && typeNameOf(value) === "map";

/** The value of a field; of an optional one an optional. */
export function fieldOf(operand: Value, field: string): Value {
  const value = operand instanceof Optional ? fieldIfPresent(operand, field) : mapWith(operand, field);
  return value === undefined ? fail(`There is no key "${field}"`) : value;
}

export function fieldIfPresent(operand: Value, field: string): Optional {
  if (operand instanceof Optional) return operand.isPresent ? fieldIfPresent(operand.content, field) : none;
  const value = mapWith(operand, field);
  return value === undefined ? none : optionalOf(value);
}

export function hasField(operand: Value, field: string): boolean {
  if (operand instanceof Optional) return operand.isPresent && hasField(operand.content, field);
  return mapWith(operand, field) !== undefined;
}

function mapWith(operand: Value, field: string): Value {
  if (isMap(operand)) return entryOf(operand, field);
  throw new CelError(`There is no key "${field}": it is a ${typeNameOf(operand)}, not a map`);
}

export function itemOf(operand: Value, index: Value): Value {
  if (operand instanceof Optional) return itemIfPresent(operand, index);
  const value = lookUp(operand, index);
  if (value !== undefined) return value;
  return Array.isArray(operand)
    ? fail(`The list has no item ${keyText(index)}: it has ${operand.length}`)
    : fail(`There is no key ${keyText(index)}`);
}

export function itemIfPresent(operand: Value, index: Value): Optional {
  if (operand instanceof Optional) return operand.isPresent ? itemIfPresent(operand.content, index) : none;
  const value = lookUp(operand, index);
  return value === undefined ? none : optionalOf(value);
}

function lookUp(operand: Value, index: Value): Value {
  if (Array.isArray(operand)) return (operand as Value[])[positionOf(index)];
  if (isMap(operand)) return entryOf(operand, index);
  throw new CelError(`A ${typeNameOf(operand)} has no items`);
}

function positionOf(index: Value): number {
  if (typeof index === "bigint") return Number(index);
  if (index instanceof Uint) return Number(index.value);
  if (typeof index === "number" && Number.isInteger(index)) return index;
  throw new CelError(`A ${typeNameOf(index)} can't be the index of a list`);
}
