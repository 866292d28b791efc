/** Conversions between types, and Base64. */
import {
  CelError,
  type Duration,
  intOf,
  type Timestamp,
  timestampOf,
  typeOf,
  type Uint,
  uintOf,
} from "../values.ts";
import { define, type FunctionList } from "./define.ts";
import { durationText, parseDuration, parseTimestamp, timestampText } from "./time-texts.ts";

export const conversions: FunctionList = [
  define("dyn(dyn): dyn", (value) => value),
  define("type(dyn): type", typeOf),
  define("bool(bool): bool", (value) => value),
  define("bool(string): bool", toBool),
  define("bytes(bytes): bytes", (value) => value),
  define("bytes(string): bytes", (text: string) => new Uint8Array(Buffer.from(text))),
  define("double(double): double", (value) => value),
  define("double(int): double", Number),
  define("double(uint): double", ({ value }: Uint) => Number(value)),
  define("double(string): double", toDouble),
  define("int(int): int", (value) => value),
  define("int(uint): int", ({ value }: Uint) => intOf(value)),
  define("int(double): int", (value: number) => intOf(wholePart(value))),
  define("int(string): int", (text: string) => intOf(toWhole(text, /^[+-]?\d+$/, "an int"))),
  define("int(timestamp): int", ({ nanos }: Timestamp) => secondsOf(nanos)),
  define("int(duration): int", ({ nanos }: Duration) => nanos / 1_000_000_000n),
  define("uint(uint): uint", (value) => value),
  define("uint(int): uint", (value: bigint) => uintOf(value)),
  define("uint(double): uint", (value: number) => uintOf(wholePart(value))),
  define("uint(string): uint", (text: string) => uintOf(toWhole(text, /^\d+$/, "a uint"))),
  define("string(string): string", (value) => value),
  define("string(bool): string", String),
  define("string(int): string", String),
  define("string(uint): string", ({ value }: Uint) => String(value)),
  define("string(double): string", doubleText),
  define("string(bytes): string", toText),
  define("string(timestamp): string", timestampText),
  define("string(duration): string", durationText),
  define("timestamp(timestamp): timestamp", (value) => value),
  define("timestamp(int): timestamp", (seconds: bigint) => timestampOf(seconds * 1_000_000_000n)),
  define("timestamp(string): timestamp", parseTimestamp),
  define("duration(duration): duration", (value) => value),
  define("duration(string): duration", parseDuration),
  define("base64.encode(bytes): string", (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")),
  define("base64.decode(string): bytes", fromBase64),
];

const notA = (text: string, what: string): CelError => new CelError(`${JSON.stringify(text)} is not ${what}`);

const yes: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const no: ReadonlySet<string> = new Set(["0", "f", "F", "false", "FALSE", "False"]);

function toBool(text: string): boolean {
  if (yes.has(text) || no.has(text)) return yes.has(text);
  throw notA(text, "true or false");
}

function toDouble(text: string): number {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text);
  if (/^[+-]?(?:inf|infinity)$/i.test(text))
    return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  throw notA(text, "a number");
}

function toWhole(text: string, form: RegExp, what: string): bigint {
  if (text.length > 40 || !form.test(text)) throw notA(text.slice(0, 40), what);
  return text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text.replace("+", ""));
}

/** A double at the very end of the range of ints stands for more than it. */
function wholePart(value: number): bigint {
  if (!Number.isFinite(value) || value === -(2 ** 63)) throw new CelError(`${value} does not fit`);
  return BigInt(Math.trunc(value));
}

/** Rounded down, before 1970 too. */
const secondsOf = (nanos: bigint): bigint => {
  const seconds = nanos / 1_000_000_000n;
  return seconds * 1_000_000_000n > nanos ? seconds - 1n : seconds;
};

export function doubleText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function toText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new CelError("The bytes are no UTF-8 text");
  }
}

function fromBase64(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new CelError("The text is not Base64");
  return new Uint8Array(Buffer.from(text, "base64"));
}
