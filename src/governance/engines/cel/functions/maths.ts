/** Functions of the extension for maths. */
import { compare } from "../compare.ts";
import { CelError, fail, intOf, type TypeName, typeNameOf, Uint, uintOf, type Value } from "../values.ts";
import { define, type FunctionList, variadic } from "./define.ts";

export const maths: FunctionList = [
  variadic("math.greatest", "dyn", (values) => extreme("greatest", values, 1)),
  variadic("math.least", "dyn", (values) => extreme("least", values, -1)),
  define("math.abs(int): int", (value: bigint) => intOf(value < 0n ? -value : value)),
  define("math.abs(uint): uint", (value) => value),
  define("math.abs(double): double", (value: number) => Math.abs(value)),
  define("math.sign(int): int", (value: bigint) => BigInt(compare(value, 0n))),
  define("math.sign(uint): uint", (value: Uint) => new Uint(value.value === 0n ? 0n : 1n)),
  define("math.sign(double): double", (value: number) => Math.sign(value)),
  define("math.ceil(double): double", (value: number) => Math.ceil(value)),
  define("math.floor(double): double", (value: number) => Math.floor(value)),
  define("math.trunc(double): double", (value: number) => Math.trunc(value)),
  define("math.round(double): double", awayFromZero),
  define("math.sqrt(double): double", (value: number) => Math.sqrt(value)),
  define("math.sqrt(int): double", (value: bigint) => Math.sqrt(Number(value))),
  define("math.sqrt(uint): double", ({ value }: Uint) => Math.sqrt(Number(value))),
  define("math.isNaN(double): bool", (value: number) => Number.isNaN(value)),
  define("math.isInf(double): bool", (value: number) => Math.abs(value) === Number.POSITIVE_INFINITY),
  define("math.isFinite(double): bool", (value: number) => Number.isFinite(value)),
  define("math.bitNot(int): int", (value: bigint) => ~value),
  define("math.bitNot(uint): uint", ({ value }: Uint) => new Uint(BigInt.asUintN(64, ~value))),
  ...bitwise("bitAnd", (left, right) => left & right),
  ...bitwise("bitOr", (left, right) => left | right),
  ...bitwise("bitXor", (left, right) => left ^ right),
  define("math.bitShiftLeft(int, int): int", (value: bigint, by: bigint) =>
    BigInt.asIntN(64, shifted(value, by)),
  ),
  define("math.bitShiftLeft(uint, int): uint", ({ value }: Uint, by: bigint) => unsigned(shifted(value, by))),
  define("math.bitShiftRight(int, int): int", (value: bigint, by: bigint) =>
    BigInt.asIntN(64, BigInt.asUintN(64, value) >> placesOf(by)),
  ),
  define("math.bitShiftRight(uint, int): uint", ({ value }: Uint, by: bigint) =>
    unsigned(value >> placesOf(by)),
  ),
];

const unsigned = (value: bigint): Uint => uintOf(BigInt.asUintN(64, value));

function bitwise(name: string, of: (left: bigint, right: bigint) => bigint): FunctionList {
  return [
    define(`math.${name}(int, int): int`, (left: bigint, right: bigint) => of(left, right)),
    define(
      `math.${name}(uint, uint): uint`,
      (left: Uint, right: Uint) => new Uint(of(left.value, right.value)),
    ),
  ];
}

/** More than 64 places leave nothing, so that no number grows. */
const placesOf = (by: bigint): bigint => {
  if (by < 0n) throw new CelError("A number can't be shifted by less than 0");
  return by > 64n ? 64n : by;
};

const shifted = (value: bigint, by: bigint): bigint => value << placesOf(by);

function awayFromZero(value: number): number {
  const rounded = Math.sign(value) * Math.round(Math.abs(value));
  return Number.isFinite(value) ? rounded : value;
}

const numeric: ReadonlySet<TypeName> = new Set(["double", "int", "uint"]);

/** Of the arguments, or of the items of the only one. */
function extreme(name: string, given: readonly Value[], sign: 1 | -1): Value {
  const [first] = given;
  const values = given.length === 1 && Array.isArray(first) ? (first as Value[]) : given;
  for (const value of values)
    if (!numeric.has(typeNameOf(value))) fail(`math.${name}() takes numbers, not a ${typeNameOf(value)}`);
  if (values.length === 0) fail(`math.${name}() needs a number`);
  return values.reduce((best, value) => (compare(value, best) * sign > 0 ? value : best));
}
