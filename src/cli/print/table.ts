/** Pure. Tables for people: columns as wide as their content, within the width of the terminal if there is one. */
import type { Paint } from "./colors.ts";
import { cut, cutMiddle, padEnd, padStart, widthOf } from "./text.ts";

export interface Column {
  title: string;
  align?: "right";
  /** Shrinks first when the terminal is too narrow: at the end of its text, or of an id in the middle. */
  shrinks?: boolean | "middle";
}

export interface Cell {
  text: string;
  paint?: Paint;
}

export interface TableOptions {
  /** Cells of the terminal; a file has no limit. */
  width?: number | undefined;
  indent?: number;
  paintTitle?: Paint;
}

const gap = "  ";
const narrowest = 8;

export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly (string | Cell)[])[],
  options: TableOptions = {},
): string[] {
  const indent = " ".repeat(options.indent ?? 0);
  const cells = rows.map((row) => columns.map((_, at) => toCell(row[at] ?? "")));
  const wanted = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[at]!.text))),
  );
  const widths = fit(wanted, columns, (options.width ?? Infinity) - indent.length);
  const line = (row: readonly Cell[]): string =>
    (indent + row.map((cell, at) => format(cell, widths[at]!, columns[at]!)).join(gap)).trimEnd();
  const paint = options.paintTitle;
  const titles = columns.map(({ title }) => (paint ? { text: title, paint } : { text: title }));
  return [line(titles), ...cells.map((row) => line(row))];
}

const toCell = (value: string | Cell): Cell => (typeof value === "string" ? { text: value } : value);

function format({ text, paint }: Cell, width: number, { align, shrinks }: Column): string {
  const shown = shrinks === "middle" ? cutMiddle(text, width) : cut(text, width);
  const padded = align === "right" ? padStart(shown, width) : padEnd(shown, width);
  // The paint goes around the text alone, so that trailing blanks can be trimmed.
  return paint ? padded.replace(shown, () => paint(shown)) : padded;
}

/** Reduces the columns that may shrink, always the widest of them. */
function fit(wanted: readonly number[], columns: readonly Column[], width: number): number[] {
  const widths = [...wanted];
  let excess = widths.reduce((sum, each) => sum + each, gap.length * (columns.length - 1)) - width;
  while (excess > 0) {
    const candidates = widths.flatMap((each, at) => (columns[at]!.shrinks && each > narrowest ? [at] : []));
    if (candidates.length === 0) break;
    const widest = candidates.reduce((best, at) => (widths[at]! > widths[best]! ? at : best));
    widths[widest]! -= 1;
    excess -= 1;
  }
  return widths;
}
