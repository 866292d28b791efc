/** Pure. What a file would change of a policy, field by field. */
import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import { isRecord } from "../../platform/lib/is-record.ts";
import type { Styles } from "../print/colors.ts";
import { oneLine, safeLines } from "../print/text.ts";
import type { PolicyContent } from "./content.ts";
import { diffOfLines } from "./line-diff.ts";

export interface FieldChange {
  /** `spec.assert` for a field of the spec. */
  field: string;
  /** Absent where one side does not have the field. */
  from?: unknown;
  to?: unknown;
}

export function changesOf(before: PolicyContent, after: PolicyContent): FieldChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].flatMap((field) => {
    const [from, to] = [before[field], after[field]];
    if (isDeepStrictEqual(from, to)) return [];
    // The parts of a spec are told apart, unless another engine takes another spec.
    if (field === "spec" && before["engine"] === after["engine"] && isRecord(from) && isRecord(to))
      return changesOf(from, to).map((change) => ({ ...change, field: `spec.${change.field}` }));
    return [{ field, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
  });
}

const signs = { same: " ", removed: "-", added: "+", gap: "…" } as const;

/** Values of one line as `from → to`, longer ones as a difference of lines. */
export function changeLines(changes: readonly FieldChange[], styles: Styles): string[] {
  const paints = { same: styles.faint, removed: styles.bad, added: styles.good, gap: styles.faint };
  return changes.flatMap(({ field, from, to }) => {
    const name = `    ${oneLine(field)}:`;
    if (!isLong(from) && !isLong(to)) return [`${name} ${short(from)} → ${short(to)}`];
    const lines = diffOfLines(textOf(from), textOf(to));
    return [
      name,
      ...lines.map(({ kind, text }) =>
        paints[kind](`      ${signs[kind]} ${safeLines(text)[0] ?? ""}`.trimEnd()),
      ),
    ];
  });
}

/** Length above which a text of one line gets lines of its own. */
const shortLength = 60;

const isLong = (value: unknown): boolean =>
  typeof value === "string"
    ? value.length > shortLength || value.trimEnd().includes("\n")
    : JSON.stringify(value ?? null).length > shortLength;

const short = (value: unknown): string => (value === undefined ? "(absent)" : oneLine(JSON.stringify(value)));

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : stringify(value, { lineWidth: 0 });
}
