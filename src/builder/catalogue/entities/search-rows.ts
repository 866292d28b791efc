/** Pure: the searchable fields of an entity, as rows of key and value. */
import { type Entity, defaultNamespace } from "../../entity.ts";

export interface SearchRow {
  /** Path with dots, in lower case. */
  key: string;
  /** In lower case; null for null and for values that are too long. */
  value: string | null;
  /** As it is written. */
  shown: string | null;
}

/**
 * An entity beyond these limits is stored and returned, but cannot be found by the fields that exceed them.
 */
export const searchLimits = { rows: 1_000, keyChars: 200, valueChars: 200, depth: 12 } as const;

/** Not searchable: returned by other operations, or different after every read. */
const left: ReadonlySet<string> = new Set(["relations", "status", "metadata.uid", "metadata.etag"]);

/**
 * Every value of the entity, `key.value` = true for each string in a list, and the fields that identify it.
 */
export function searchRowsOf(entity: Entity): SearchRow[] {
  const rows: SearchRow[] = [];
  const { metadata } = entity;
  add(rows, "metadata.namespace", metadata.namespace ?? defaultNamespace);
  if (metadata.uid !== undefined) add(rows, "metadata.uid", metadata.uid);
  const rest = { ...entity, metadata: { ...metadata, namespace: undefined } };
  walk(rest, "", { rows, depth: 0 });
  return rows;
}

interface Walk {
  rows: SearchRow[];
  depth: number;
}

type Scalar = string | number | boolean | null;

function walk(value: unknown, path: string, { rows, depth }: Walk): void {
  if (left.has(path) || depth > searchLimits.depth || value === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) {
      walk(item, path, { rows, depth: depth + 1 });
      if (typeof item === "string") add(rows, `${path}.${item}`, true);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      walk(item, path === "" ? key : `${path}.${key}`, { rows, depth: depth + 1 });
    }
  } else if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean"
  ) {
    add(rows, path, value);
  }
}

function add(rows: SearchRow[], path: string, value: Scalar): void {
  if (rows.length >= searchLimits.rows || path.length > searchLimits.keyChars) return;
  const text = value === null ? null : String(value);
  const shown = text === null || text.length > searchLimits.valueChars ? null : text;
  rows.push({ key: path.toLowerCase(), value: shown?.toLowerCase() ?? null, shown });
}
