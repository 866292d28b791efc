/** What the operators of an expression do, and which types they take. */
import {
  CelError,
  Duration,
  durationOf,
  fail,
  intOf,
  Timestamp,
  timestampOf,
  typeNameOf,
  Uint,
  uintOf,
} from "./values.ts";
import type { TypeName, Value } from "./values.ts";

export type Arithmetic = "%" | "*" | "+" | "-" | "/";

type Results = Readonly<Record<string, TypeName>>;

const numbers: Results = { "int int": "int", "uint uint": "uint", "double double": "double" };
const times: Results = {
  "duration duration": "duration",
  "timestamp duration": "timestamp",
};

/** Types of the results by the types of both sides. */
export const arithmetic: Readonly<Record<Arithmetic, Results>> = {
  "+": {
    ...numbers,
    ...times,
    "duration timestamp": "timestamp",
    "string string": "string",
    "bytes bytes": "bytes",
    "list list": "list",
  },
  "-": { ...numbers, ...times, "timestamp timestamp": "duration" },
  "*": numbers,
  "/": numbers,
  "%": { "int int": "int", "uint uint": "uint" },
};

export const noOverload = (operator: string, left: Value, right: Value): CelError =>
  new CelError(noOperator(operator, typeNameOf(left), typeNameOf(right)));

export function noOperator(operator: string, left: string, right: string): string {
  const isMixed =
    arithmetic["+"][`${left} ${left}`] === left && arithmetic["+"][`${right} ${right}`] === right;
  const areNumbers =
    isMixed && numbers[`${left} ${left}`] !== undefined && numbers[`${right} ${right}`] !== undefined;
  const hint = areNumbers ? ` (numbers of a descriptor are doubles: write 1.0 or int(x))` : "";
  return `There is no ${left} ${operator} ${right}${hint}`;
}

export function add(left: Value, right: Value): Value {
  if (typeof left === "string" && typeof right === "string") return left + right;
  if (typeof left === "bigint" && typeof right === "bigint") return intOf(left + right);
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (Array.isArray(left) && Array.isArray(right)) return [...(left as Value[]), ...(right as Value[])];
  return addObjects(left, right);
}

function addObjects(left: Value, right: Value): Value {
  if (left instanceof Uint && right instanceof Uint) return uintOf(left.value + right.value);
  if (left instanceof Uint8Array && right instanceof Uint8Array)
    return new Uint8Array(Buffer.concat([left, right]));
  if (left instanceof Duration) {
    if (right instanceof Duration) return durationOf(left.nanos + right.nanos);
    if (right instanceof Timestamp) return timestampOf(left.nanos + right.nanos);
  }
  if (left instanceof Timestamp && right instanceof Duration) return timestampOf(left.nanos + right.nanos);
  throw noOverload("+", left, right);
}

export function subtract(left: Value, right: Value): Value {
  if (typeof left === "bigint" && typeof right === "bigint") return intOf(left - right);
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (left instanceof Uint && right instanceof Uint) return uintOf(left.value - right.value);
  if (left instanceof Timestamp) {
    if (right instanceof Duration) return timestampOf(left.nanos - right.nanos);
    if (right instanceof Timestamp) return durationOf(left.nanos - right.nanos);
  }
  if (left instanceof Duration && right instanceof Duration) return durationOf(left.nanos - right.nanos);
  throw noOverload("-", left, right);
}

export function multiply(left: Value, right: Value): Value {
  if (typeof left === "bigint" && typeof right === "bigint") return intOf(left * right);
  if (typeof left === "number" && typeof right === "number") return left * right;
  if (left instanceof Uint && right instanceof Uint) return uintOf(left.value * right.value);
  throw noOverload("*", left, right);
}

export function divide(left: Value, right: Value): Value {
  if (typeof left === "bigint" && typeof right === "bigint") return intOf(left / notZero(right));
  if (typeof left === "number" && typeof right === "number") return left / right;
  if (left instanceof Uint && right instanceof Uint) return uintOf(left.value / notZero(right.value));
  throw noOverload("/", left, right);
}

export function remainder(left: Value, right: Value): Value {
  if (typeof left === "bigint" && typeof right === "bigint") return left % notZero(right);
  if (left instanceof Uint && right instanceof Uint) return new Uint(left.value % notZero(right.value));
  throw noOverload("%", left, right);
}

const notZero = (value: bigint): bigint => (value === 0n ? fail("A division by zero") : value);

export function negate(value: Value): Value {
  if (typeof value === "bigint") return intOf(-value);
  if (typeof value === "number") return -value;
  throw new CelError(`There is no -${typeNameOf(value)}`);
}
