/** Functions of optional values. */
import { areEqual } from "../compare.ts";
import { sizeOfMap } from "../maps.ts";
import {
  Duration,
  fail,
  none,
  Optional,
  optionalOf,
  Timestamp,
  Uint,
  typeNameOf,
  type Value,
} from "../values.ts";
import { define, type FunctionList } from "./define.ts";

export const optionals: FunctionList = [
  define("optional.none(): optional", () => none),
  define("optional.of(dyn): optional", optionalOf),
  define("optional.ofNonZeroValue(dyn): optional", (value) => (isZero(value) ? none : optionalOf(value))),
  define("optional.unwrap(list): list", presentOf),
  define("list.unwrapOpt(): list", presentOf),
  define("(optional).hasValue(): bool", ({ isPresent }: Optional) => isPresent),
  define("(optional).value(): dyn", ({ isPresent, content }: Optional) =>
    isPresent ? content : fail("The optional value is none"),
  ),
  define("(optional).or(optional): optional", (optional: Optional, other: Optional) =>
    optional.isPresent ? optional : other,
  ),
  define("(optional).orValue(dyn): dyn", ({ isPresent, content }: Optional, other) =>
    isPresent ? content : other,
  ),
];

function presentOf(list: readonly Value[]): Value {
  return list.flatMap((each) => {
    if (!(each instanceof Optional))
      return fail(`The list has a ${typeNameOf(each)} among its optional values`);
    return each.isPresent ? [each.content] : [];
  });
}

function isZero(value: Value): boolean {
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration || value instanceof Timestamp) return value.nanos === 0n;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (typeNameOf(value) === "map") return sizeOfMap(value as object) === 0;
  return value === null || [false, "", 0].some((zero) => areEqual(value, zero));
}
