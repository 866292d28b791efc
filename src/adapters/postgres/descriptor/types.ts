/**
 * The data contract's types and PostgreSQL's. A type of PostgreSQL is always written as `format_type` writes it,
 * so that a declared type and a live one compare as text. Pure.
 */
import type { Problem } from "../../../platform/errors/failure.ts";
import type { JsonObject } from "../../kit/protocol.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/**
 * Contract types and their PostgreSQL types. The first entry of a PostgreSQL type is used for the reverse
 * direction.
 */
const plainTypes: Array<[contract: string, postgres: string]> = [
  ["STRING", "text"],
  ["TEXT", "text"],
  ["MEDIUMTEXT", "text"],
  ["LONGTEXT", "text"],
  ["SMALLINT", "smallint"],
  ["TINYINT", "smallint"],
  ["BYTEINT", "smallint"],
  ["INT", "integer"],
  ["INTEGER", "integer"],
  ["BIGINT", "bigint"],
  ["LONG", "bigint"],
  ["FLOAT", "real"],
  ["REAL", "real"],
  ["DOUBLE", "double precision"],
  ["DOUBLE PRECISION", "double precision"],
  ["BOOLEAN", "boolean"],
  ["BOOL", "boolean"],
  ["DATE", "date"],
  ["TIME", "time without time zone"],
  ["TIMESTAMP", "timestamp without time zone"],
  ["DATETIME", "timestamp without time zone"],
  ["TIMESTAMPZ", "timestamp with time zone"],
  ["TIMESTAMPTZ", "timestamp with time zone"],
  ["TIMESTAMP WITH TIME ZONE", "timestamp with time zone"],
  ["INTERVAL", "interval"],
  ["BYTES", "bytea"],
  ["BINARY", "bytea"],
  ["VARBINARY", "bytea"],
  ["BLOB", "bytea"],
  ["JSON", "jsonb"],
  ["JSONB", "jsonb"],
  ["UUID", "uuid"],
];

const toPostgres = new Map(plainTypes);
const toContract = new Map(plainTypes.toReversed().map(([contract, postgres]) => [postgres, contract]));
const maximumLength = 10_485_760;

/** @returns the PostgreSQL type of a contract's column, or the problems. */
export function postgresTypeOf(
  column: JsonObject,
  pointer: string,
): { type: string } | { problems: Problem[] } {
  const raw = column["dataType"];
  const where = `${pointer}/dataType`;
  if (typeof raw !== "string" || raw.trim() === "") {
    return { problems: [{ where, message: "must name a type, e.g. STRING or BIGINT" }] };
  }
  const name = raw.trim().toUpperCase().replaceAll(/\s+/g, " ");
  const plain = toPostgres.get(name);
  if (plain !== undefined) return { type: plain };
  if (["VARCHAR", "CHAR", "CHARACTER VARYING", "CHARACTER"].includes(name))
    return textType(name, column, pointer);
  if (["DECIMAL", "NUMERIC", "NUMBER"].includes(name)) return numericType(column, pointer);
  if (name === "ARRAY") return arrayType(column, pointer);
  return {
    problems: [
      {
        where,
        message: `${raw.slice(0, 60)} is not a type that this adapter supports`,
        solution: `Use one of ${[...new Set(toContract.values())].join(", ")}, VARCHAR, CHAR, DECIMAL, ARRAY.`,
      },
    ],
  };
}

type TypeOrProblems = { type: string } | { problems: Problem[] };

function wholeNumber(value: unknown, low: number, high: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= low && value <= high;
}

function textType(name: string, column: JsonObject, pointer: string): TypeOrProblems {
  const base = name.startsWith("VARCHAR") || name.endsWith("VARYING") ? "character varying" : "character";
  const length = column["dataLength"];
  if (length === undefined || length === null) {
    return { type: base === "character" ? "character(1)" : base };
  }
  if (wholeNumber(length, 1, maximumLength)) return { type: `${base}(${length})` };
  const message = `must be a whole number from 1 to ${maximumLength}`;
  return { problems: [{ where: `${pointer}/dataLength`, message }] };
}

function numericType(column: JsonObject, pointer: string): TypeOrProblems {
  const { precision } = column;
  if ((precision ?? column["scale"] ?? null) === null) return { type: "numeric" };
  if (!wholeNumber(precision, 1, 1000)) {
    return {
      problems: [{ where: `${pointer}/precision`, message: "must be a whole number from 1 to 1000" }],
    };
  }
  const scale = column["scale"] ?? 0;
  if (!wholeNumber(scale, 0, precision)) {
    const message = "must be a whole number from 0 to the precision";
    return { problems: [{ where: `${pointer}/scale`, message }] };
  }
  return { type: `numeric(${precision},${scale})` };
}

function arrayType(column: JsonObject, pointer: string): TypeOrProblems {
  const dataType = column["arrayDataType"];
  if (typeof dataType === "string" && dataType.trim().toUpperCase() !== "ARRAY") {
    const element = postgresTypeOf({ ...column, dataType }, pointer);
    if ("type" in element) return { type: `${element.type}[]` };
  }
  const message = "must name the type of the elements, which cannot be arrays themselves";
  return { problems: [{ where: `${pointer}/arrayDataType`, message }] };
}

/** The contract type of a live type; a type without one becomes the most similar, with a note. */
export function contractTypeOf(type: string): { column: JsonObject; exact: boolean } {
  const plain = toContract.get(type);
  if (plain !== undefined) return { column: { dataType: plain }, exact: true };
  if (type.endsWith("[]")) {
    const element = contractTypeOf(type.slice(0, -2));
    const { dataType, ...rest } = element.column;
    return { column: { dataType: "ARRAY", arrayDataType: dataType, ...rest }, exact: element.exact };
  }
  const sized = /^(character varying|character|numeric)(?:\((\d+)(?:,(\d+))?\))?$/.exec(type);
  if (sized?.[1] === "numeric") {
    const [precision, scale] = [sized[2], sized[3]].map((digits) =>
      digits === undefined ? undefined : +digits,
    );
    return {
      column: { dataType: "DECIMAL", ...(precision === undefined ? {} : { precision, scale }) },
      exact: true,
    };
  }
  if (sized) {
    const dataType = sized[1] === "character" ? "CHAR" : "VARCHAR";
    return {
      column: { dataType, ...(sized[2] === undefined ? {} : { dataLength: +sized[2] }) },
      exact: true,
    };
  }
  if (type === "json") return { column: { dataType: "JSON" }, exact: true };
  return { column: { dataType: "STRING" }, exact: false };
}

/** Whether every value of `from` is a value of `to`, unchanged for its readers. */
export function canWiden(from: string, to: string): boolean {
  if (from === to) return true;
  const integers = ["smallint", "integer", "bigint"];
  if (integers.includes(from) && integers.includes(to)) return integers.indexOf(from) < integers.indexOf(to);
  if (from === "real" && to === "double precision") return true;
  if (to === "numeric" && (integers.includes(from) || from.startsWith("numeric("))) return true;
  const [fromText, toText] = [sizeOf(from, "character varying"), sizeOf(to, "character varying")];
  if (fromText !== undefined && (to === "text" || (toText !== undefined && toText >= fromText))) return true;
  if (from === "text" && to === "character varying") return true;
  const [fromNumber, toNumber] = [numericParts(from), numericParts(to)];
  if (!fromNumber || !toNumber) return false;
  return (
    toNumber.scale >= fromNumber.scale &&
    toNumber.precision - toNumber.scale >= fromNumber.precision - fromNumber.scale
  );
}

function sizeOf(type: string, base: string): number | undefined {
  if (type === base) return Number.POSITIVE_INFINITY;
  const size = type.startsWith(`${base}(`) ? type.slice(base.length + 1, -1) : undefined;
  return size === undefined ? undefined : Number(size);
}

function numericParts(type: string): { precision: number; scale: number } | undefined {
  const parts = /^numeric\((\d+),(\d+)\)$/.exec(type);
  return parts ? { precision: Number(parts[1]), scale: Number(parts[2]) } : undefined;
}

export interface Column {
  name: string;
  /** As `format_type` writes it. */
  type: string;
  notNull: boolean;
  primaryKey: boolean;
  unique: boolean;
  description: string | undefined;
  /** Where the contract declares it. */
  pointer: string;
}

const constraints = ["NULL", "NOT_NULL", "PRIMARY_KEY", "UNIQUE"];

/** Reads one entry of `dataContract.schema`, apart from its name. */
export function readColumnType(raw: unknown, pointer: string): { column?: Column; problems: Problem[] } {
  if (!isRecord(raw))
    return { problems: [{ where: pointer, message: "must be an object with name and dataType" }] };
  const typed = postgresTypeOf(raw, pointer);
  const problems: Problem[] = "problems" in typed ? typed.problems : [];
  const constraint = raw["constraint"] ?? "NULL";
  const written = typeof constraint === "string" ? constraint.toUpperCase() : "";
  if (!constraints.includes(written)) {
    problems.push({ where: `${pointer}/constraint`, message: `is not one of ${constraints.join(", ")}` });
  }
  if (problems.length > 0 || !("type" in typed)) return { problems };
  const column: Column = {
    name: String(raw["name"]),
    type: typed.type,
    notNull: written === "NOT_NULL" || written === "PRIMARY_KEY",
    primaryKey: written === "PRIMARY_KEY",
    unique: written === "UNIQUE",
    description: typeof raw["description"] === "string" ? raw["description"].slice(0, 2000) : undefined,
    pointer,
  };
  return { column, problems };
}
