/** Compares the columns of a statement with the row type that the code gives to its rows. */
import pg from "pg";
import type { Column, ColumnType } from "./describe.ts";
import { isNull, optionsOf, shapeOf, type Shape } from "./row-types.ts";
import type { Node, Project } from "./sources.ts";

export interface Mismatch {
  column: string;
  is: "missing" | "type" | "null";
  message: string;
}

/** What of the row type does not fit. Columns that it does not name are no fault: some are there for what they do. */
export function compareRow(project: Project, claim: Node, columns: readonly Column[]): Mismatch[] {
  const [row = shapeOf(project, claim)] = optionsOf(shapeOf(project, claim));
  if (row.is !== "object") return [];
  const names = new Set(columns.map(({ name }) => name));
  const missing = [...row.fields]
    .filter(([name, { isOptional }]) => !names.has(name) && !isOptional)
    .map(([name]) => mismatch(name, "missing", "is claimed, but the statement does not return it."));
  const wrong = columns.flatMap((column) => {
    const field = row.fields.get(column.name);
    return field === undefined ? [] : compareColumn(column, field.shape());
  });
  return [...missing, ...wrong];
}

const mismatch = (column: string, is: Mismatch["is"], what: string): Mismatch => ({
  column,
  is,
  message: `"${column}" ${what}`,
});

function compareColumn({ name, type, nullability }: Column, claimed: Shape): Mismatch[] {
  const options = optionsOf(claimed);
  if (options.some((each) => each.is === "any")) return [];
  const wrong = options
    .filter((each) => !isNull(each) && !fits(each, type))
    .map((each) => mismatch(name, "type", `is ${type.name}, but ${nameOf(each)} is claimed.`));
  const isNullable = options.some((each) => each.is === "primitive" && each.name === "null");
  if (nullability !== "may be" || isNullable) return wrong;
  return [...wrong, mismatch(name, "null", "may be null, but null is not claimed.")];
}

const isJson = ({ name }: ColumnType): boolean => name === "json" || name === "jsonb";

function fits(claimed: Shape, type: ColumnType): boolean {
  if (isJson(type)) return fitsJson(claimed, 0);
  const sample = sampleOf(type);
  const { item } = type;
  if (claimed.is !== "array" || !Array.isArray(sample) || item === null) return isLike(claimed, sample);
  return optionsOf(claimed.item())
    .filter((each) => !isNull(each))
    .every((each) => (isJson(item) ? fitsJson(each, 0) : isLike(each, sample[0])));
}

/** What the driver makes of a value of the type, by its own parsers, as `platform/db` has set them. */
function sampleOf(type: ColumnType): unknown {
  const text = samples[type.item?.name ?? type.name] ?? "1";
  const parse = pg.types.getTypeParser(type.id, "text") as (text: string) => unknown;
  return parse(type.item === null ? text : `{${text}}`);
}

const samples: Record<string, string> = {
  bool: "t",
  date: "2026-01-01",
  timestamp: "2026-01-01 00:00:00",
  timestamptz: "2026-01-01 00:00:00+00",
  bytea: String.raw`\x00`,
  json: "1",
  jsonb: "1",
  text: "a",
};

function isLike(claimed: Shape, sample: unknown): boolean {
  switch (claimed.is) {
    case "any":
      return true;
    case "union":
      return claimed.options.every((each) => isNull(each) || isLike(each, sample));
    case "date":
      return sample instanceof Date;
    case "buffer":
      return Buffer.isBuffer(sample);
    case "array":
      return Array.isArray(sample);
    case "primitive":
      return typeof sample === claimed.name;
    default:
      return false;
  }
}

/** Levels of JSON that are looked at; types may hold themselves. */
const deepestJson = 6;

/** JSON holds no dates, no bytes and no big integers. A column of JSON is never claimed as a text: that would be its source. */
function fitsJson(claimed: Shape, depth: number): boolean {
  if (depth > deepestJson) return true;
  switch (claimed.is) {
    case "any":
      return true;
    case "union":
      return claimed.options.every((each) => fitsJson(each, depth));
    case "array":
      return fitsJson(claimed.item(), depth + 1);
    case "object":
      return [...claimed.fields.values()].every(({ shape }) => fitsJson(shape(), depth + 1));
    case "primitive":
      return claimed.name !== "bigint" && (depth > 0 || claimed.name !== "string");
    default:
      return false;
  }
}

function nameOf(shape: Shape): string {
  if (shape.is === "primitive")
    return shape.literal === undefined ? shape.name : JSON.stringify(shape.literal);
  const names = { any: "unknown", date: "Date", buffer: "Buffer", array: "an array", object: "an object" };
  return shape.is === "union" ? shape.options.map(nameOf).join(" | ") : names[shape.is];
}
