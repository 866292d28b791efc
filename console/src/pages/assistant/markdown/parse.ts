/** Pure: one block of Markdown as data. HTML in it is text like any other. */
import { kindOf, splitBlocks } from "./split.ts";

export type MarkdownBlock =
  | { kind: "paragraph"; text: string }
  | { kind: "heading"; level: number; text: string }
  | { kind: "rule" }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; blocks: readonly MarkdownBlock[] }
  | { kind: "list"; start: number | null; items: readonly ListItem[] }
  | {
      kind: "table";
      aligns: readonly Align[];
      head: readonly string[];
      rows: readonly (readonly string[])[];
    };

export interface ListItem {
  /** Of a list of tasks; null otherwise. */
  isDone: boolean | null;
  blocks: readonly MarkdownBlock[];
}

export type Align = "start" | "center" | "end";

const maxDepth = 6;

export const parseBlocks = (text: string, depth = 0): MarkdownBlock[] =>
  splitBlocks(text)
    .filter((block) => block.trim() !== "")
    .map((block) => parseBlock(block, depth));

export const parseBlock = (source: string, depth = 0): MarkdownBlock => {
  const text = source.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();
  const [first = "", second] = text.split("\n", 2);
  if (depth >= maxDepth) return { kind: "paragraph", text };
  switch (kindOf(first, second)) {
    case "heading": {
      const [, marks = "#", title = ""] = /^ {0,3}(#{1,6}) +(.*?)(?: +#+)? *$/.exec(first) ?? [];
      return { kind: "heading", level: marks.length, text: title };
    }
    case "rule":
      return { kind: "rule" };
    case "code":
      return codeOf(text);
    case "quote":
      return { kind: "quote", blocks: parseBlocks(text.replaceAll(/^ {0,3}> ?/gm, ""), depth + 1) };
    case "list":
      return listOf(text, depth);
    case "table":
      return tableOf(text);
    case "paragraph":
      return { kind: "paragraph", text };
  }
};

const codeOf = (text: string): MarkdownBlock => {
  const [opening = "", ...rest] = text.split("\n");
  const [, mark = "```", language = ""] = /^ *(`{3,}|~{3,}) *([\w+#.-]*)/.exec(opening) ?? [];
  const last = rest.at(-1)?.trim() ?? "";
  const isClosed = last.startsWith(mark) && /^[`~]+$/.test(last);
  return { kind: "code", language, text: (isClosed ? rest.slice(0, -1) : rest).join("\n") };
};

const itemStart = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;

const listOf = (text: string, depth: number): MarkdownBlock => {
  const items: string[][] = [];
  let indent = 0;
  for (const line of text.split("\n")) {
    const found = itemStart.exec(line);
    if (found !== null && (items.length === 0 || line.search(/\S/) < Math.max(indent, 1))) {
      indent = found[0].length;
      items.push([line.slice(indent)]);
    } else items.at(-1)?.push(line.slice(Math.min(indent, /^[ \t]*/.exec(line)?.[0].length ?? 0)));
  }
  const start = /^ {0,3}(\d+)/.exec(text)?.[1];
  return {
    kind: "list",
    start: start === undefined ? null : Number(start),
    items: items.map((lines) => itemOf(lines.join("\n"), depth)),
  };
};

const itemOf = (text: string, depth: number): ListItem => {
  const box = /^\[([ xX])\] +/.exec(text);
  return {
    isDone: box === null ? null : box[1] !== " ",
    blocks: parseBlocks(box === null ? text : text.slice(box[0].length), depth + 1),
  };
};

const maxColumns = 30;

const tableOf = (text: string): MarkdownBlock => {
  const [head = "", aligns = "", ...rows] = text.split("\n");
  const names = cellsOf(head);
  return {
    kind: "table",
    head: names,
    aligns: cellsOf(aligns).map((cell) =>
      !cell.endsWith(":") ? "start" : cell.startsWith(":") ? "center" : "end",
    ),
    // Each has as many cells as the head.
    rows: rows.map((row) => {
      const cells = cellsOf(row);
      return names.map((_, index) => cells[index] ?? "");
    }),
  };
};

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .slice(0, maxColumns)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
