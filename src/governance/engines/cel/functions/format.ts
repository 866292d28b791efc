/** `format` of texts: %s %d %f %e %b %o %x %X. */
import { entriesOf } from "../maps.ts";
import { CelError, Duration, Timestamp, typeNameOf, TypeValue, Uint, type Value } from "../values.ts";
import { durationText, timestampText } from "./time-texts.ts";

const maxPrecision = 100;

/** Every item of the list that the text asks for must be there; more may be. */
export function format(text: string, values: readonly Value[]): string {
  let next = 0;
  return text.replaceAll(
    /%(?:%|(?:\.(\d+))?(.?))/gsu,
    (whole: string, precision?: string, clause?: string) => {
      if (whole === "%%") return "%";
      if (next >= values.length) throw new CelError(`format() has no value number ${next + 1}`);
      if (Number(precision ?? 0) > maxPrecision)
        throw new CelError(`format() writes up to ${maxPrecision} digits`);
      return clauseText(
        clause ?? "",
        values[next++],
        precision === undefined ? undefined : Number(precision),
      );
    },
  );
}

function clauseText(clause: string, value: Value, precision: number | undefined): string {
  switch (clause) {
    case "s":
      return textOf(value);
    case "d":
      return decimal(value);
    case "f":
      return fixed(value, precision ?? 6);
    case "e":
      return scientific(value, precision ?? 6);
    case "b":
      return typeof value === "boolean" ? String(Number(value)) : inBase(value, 2, "b");
    case "o":
      return inBase(value, 8, "o");
    case "x":
      return hexadecimal(value);
    case "X":
      return hexadecimal(value).toUpperCase();
    default:
      throw new CelError(`format() has no clause %${clause}`);
  }
}

const refused = (clause: string, value: Value): CelError =>
  new CelError(`format() can't write a ${typeNameOf(value)} as %${clause}`);

const special = (value: number): string | undefined => {
  if (Number.isFinite(value)) return undefined;
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
};

function decimal(value: Value): string {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint) return String(value.value);
  if (typeof value === "number") return special(value) ?? String(value);
  throw refused("d", value);
}

const numberOf = (clause: string, value: Value): number => {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint) return Number(value.value);
  throw refused(clause, value);
};

function fixed(value: Value, digits: number): string {
  const number = numberOf("f", value);
  return special(number) ?? number.toFixed(digits);
}

function scientific(value: Value, digits: number): string {
  const number = numberOf("e", value);
  return special(number) ?? number.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");
}

function inBase(value: Value, base: 2 | 8 | 16, clause: string): string {
  if (typeof value === "bigint") return value.toString(base);
  if (value instanceof Uint) return value.value.toString(base);
  throw refused(clause, value);
}

function hexadecimal(value: Value): string {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : inBase(value, 16, "x");
}

function textOf(value: Value): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return special(value) ?? String(value);
    case "bigint":
    case "boolean":
      return String(value);
    default:
      return textOfObject(value as object | null);
  }
}

function textOfObject(value: object | null): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${value.map(textOf).join(", ")}]`;
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof TypeValue) return value.name;
  if (typeNameOf(value) !== "map") throw refused("s", value);
  const entries = entriesOf(value).map(([key, each]) => `${textOf(key)}: ${textOf(each)}`);
  return `{${entries.toSorted().join(", ")}}`;
}
