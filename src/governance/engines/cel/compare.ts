/** Equality and order of values. Numbers are compared by what they stand for, whatever their types. */
import { entriesOf, entryOf, sizeOfMap } from "./maps.ts";
import {
  CelError,
  Duration,
  type Optional,
  Timestamp,
  type TypeName,
  typeNameOf,
  type TypeValue,
  Uint,
} from "./values.ts";
import type { Value } from "./values.ts";

export function areEqual(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeof left === "string" && typeof right === "string") return false;
  const type = typeNameOf(left);
  if (isNumeric(type)) return isNumeric(typeNameOf(right)) && areEqualNumbers(plain(left), plain(right));
  return type === typeNameOf(right) && areEqualOf(type, left as object, right as object);
}

function areEqualOf(type: TypeName, left: object, right: object): boolean {
  switch (type) {
    case "list":
      return areEqualLists(left as Value[], right as Value[]);
    case "map":
      return areEqualMaps(left, right);
    case "bytes":
      return Buffer.compare(left as Uint8Array, right as Uint8Array) === 0;
    case "timestamp":
    case "duration":
      return (left as Timestamp).nanos === (right as Timestamp).nanos;
    case "type":
      return (left as TypeValue).name === (right as TypeValue).name;
    case "optional":
      return areEqualOptionals(left as Optional, right as Optional);
    default:
      return false;
  }
}

const isNumeric = (type: TypeName): boolean => type === "double" || type === "int" || type === "uint";

const plain = (value: Value): number | bigint =>
  value instanceof Uint ? value.value : (value as number | bigint);

/** Neither is below the other, which is exact between bigints and numbers. */
const areEqualNumbers = (left: number | bigint, right: number | bigint): boolean =>
  left <= right && left >= right;

const areEqualLists = (left: readonly Value[], right: readonly Value[]): boolean =>
  left.length === right.length && left.every((item, index) => areEqual(item, right[index]));

const areEqualMaps = (left: object, right: object): boolean =>
  sizeOfMap(left) === sizeOfMap(right) &&
  entriesOf(left).every(([key, value]) => {
    const other = entryOf(right, key);
    return other !== undefined && areEqual(value, other);
  });

const areEqualOptionals = (left: Optional, right: Optional): boolean =>
  left.isPresent === right.isPresent && (!left.isPresent || areEqual(left.content, right.content));

/** Below zero, zero or above; NaN where a number is none. Fails for values that have no order. */
export function compare(left: Value, right: Value): number {
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  if (typeof left === "bigint" && typeof right === "bigint") return compareNumbers(left, right);
  const leftType = typeNameOf(left);
  const rightType = typeNameOf(right);
  if (isNumeric(leftType) && isNumeric(rightType)) return compareNumbers(plain(left), plain(right));
  if (leftType === rightType) {
    if (leftType === "bool") return Number(left) - Number(right);
    if (leftType === "bytes") return Buffer.compare(left as Uint8Array, right as Uint8Array);
    if (left instanceof Timestamp || left instanceof Duration)
      return compareNumbers(left.nanos, (right as Timestamp).nanos);
  }
  throw new CelError(`A ${leftType} and a ${rightType} have no order`);
}

/** A double and a whole number are compared as doubles. */
function compareNumbers(first: number | bigint, second: number | bigint): number {
  const areAlike = typeof first === typeof second;
  const left = areAlike ? first : Number(first);
  const right = areAlike ? second : Number(second);
  if (left < right) return -1;
  if (left > right) return 1;
  return left <= right ? 0 : Number.NaN;
}

/** By code points: the order of UTF-16 differs for characters outside the basic plane. */
function compareStrings(left: string, right: string): number {
  if (left === right) return 0;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
