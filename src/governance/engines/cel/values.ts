/**
 * Values of an expression. Strings, booleans, null, doubles (numbers), ints (bigints), lists (arrays) and bytes are those of
 * JavaScript; maps are Maps, or plain objects where they come from a descriptor. The classes below are what JavaScript lacks.
 */
export type Value = unknown;

export type TypeName =
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "int"
  | "list"
  | "map"
  | "null"
  | "optional"
  | "string"
  | "timestamp"
  | "type"
  | "uint";

/** An expression that fails while it is evaluated. */
export class CelError extends Error {}

export const fail = (message: string): never => {
  throw new CelError(message);
};

export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

export class Timestamp {
  /** Nanoseconds since 1970 in UTC. */
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Optional {
  readonly isPresent: boolean;
  readonly content: Value;
  constructor(isPresent: boolean, content: Value) {
    this.isPresent = isPresent;
    this.content = content;
  }
}

export const none = new Optional(false, undefined);
export const optionalOf = (content: Value): Optional => new Optional(true, content);

export class TypeValue {
  /** As `type(x)` shows it, for example `google.protobuf.Timestamp`. */
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const typeNames =
  "bool bytes double int list map null_type optional_type string type uint google.protobuf.Duration google.protobuf.Timestamp";

/** Types that an expression can name. */
export const namedTypes: ReadonlyMap<string, TypeValue> = new Map(
  typeNames.split(" ").map((name) => [name, new TypeValue(name)]),
);

const namesOfTypes: Partial<Record<TypeName, string>> = {
  null: "null_type",
  optional: "optional_type",
  duration: "google.protobuf.Duration",
  timestamp: "google.protobuf.Timestamp",
};

export function typeOf(value: Value): TypeValue {
  const name = typeNameOf(value);
  return namedTypes.get(namesOfTypes[name] ?? name)!;
}

export function typeNameOf(value: Value): TypeName {
  switch (typeof value) {
    case "string":
      return "string";
    case "bigint":
      return "int";
    case "number":
      return "double";
    case "boolean":
      return "bool";
    default:
      return typeNameOfObject(value as object | null);
  }
}

function typeNameOfObject(value: object | null): TypeName {
  if (value === null) return "null";
  // What comes from a descriptor, which is nearly everything.
  if (Object.getPrototypeOf(value) === Object.prototype) return "map";
  if (Array.isArray(value)) return "list";
  if (value instanceof Uint) return "uint";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Timestamp) return "timestamp";
  if (value instanceof Duration) return "duration";
  if (value instanceof Optional) return "optional";
  if (value instanceof TypeValue) return "type";
  return "map";
}

const int64 = (value: bigint): bigint =>
  BigInt.asIntN(64, value) === value ? value : fail("The number does not fit into an int");
const uint64 = (value: bigint): bigint =>
  BigInt.asUintN(64, value) === value ? value : fail("The number does not fit into a uint");

export const intOf = int64;
export const uintOf = (value: bigint): Uint => new Uint(uint64(value));

const earliest = -62_135_596_800n * 1_000_000_000n;
const latest = 253_402_300_800n * 1_000_000_000n;

/** From the first moment of year 1 to the last one of year 9999. */
export const timestampOf = (nanos: bigint): Timestamp =>
  nanos < earliest || nanos >= latest ? fail("The timestamp is out of range") : new Timestamp(nanos);

/** About 292 years in each direction. */
export const durationOf = (nanos: bigint): Duration =>
  BigInt.asIntN(64, nanos) === nanos ? new Duration(nanos) : fail("The duration is out of range");
