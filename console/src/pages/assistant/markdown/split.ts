/**
 * Pure: the blocks of a Markdown text, as parts of it that follow each other. While an answer comes in only its end is split again, so
 * that a long one costs no more than a short one.
 */

const fence = /^ {0,3}(`{3,}|~{3,})/;
const listItem = /^ {0,3}(?:([-*+])|(\d{1,9})[.)]) +\S?/;
const heading = /^ {0,3}#{1,6} /;
const rule = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const quote = /^ {0,3}>/;
const tableRule = /^ {0,3}\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$/;

export type BlockKind = "paragraph" | "heading" | "rule" | "code" | "quote" | "list" | "table";

export const kindOf = (line: string, next: string | undefined): BlockKind => {
  if (fence.test(line)) return "code";
  if (heading.test(line)) return "heading";
  if (rule.test(line)) return "rule";
  if (quote.test(line)) return "quote";
  if (listItem.test(line)) return "list";
  return line.includes("|") && next !== undefined && next.includes("-") && tableRule.test(next)
    ? "table"
    : "paragraph";
};

/** The text is what they are together. */
export const splitBlocks = (text: string): string[] => {
  const lines = linesOf(text);
  const blocks: string[] = [];
  for (let at = 0; at < lines.length;) {
    const end = endOf(lines, at);
    blocks.push(lines.slice(at, end).join(""));
    at = end;
  }
  return blocks;
};

/** Each with its line break. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const bare = (line: string | undefined): string | undefined => line?.replace(/\r?\n$/, "");
const isBlank = (line: string | undefined): boolean => line !== undefined && line.trim() === "";

/** Where the next block begins; empty lines belong to the one before them. */
const endOf = (lines: readonly string[], from: number): number => {
  let start = from;
  while (isBlank(lines[start])) start += 1;
  const first = bare(lines[start]);
  if (first === undefined) return lines.length;
  const kind = kindOf(first, bare(lines[start + 1]));
  let end = ends[kind](lines, start);
  while (end < lines.length && isBlank(lines[end])) end += 1;
  return end;
};

type End = (lines: readonly string[], start: number) => number;

const linesWhile = (lines: readonly string[], start: number, goesOn: (at: number) => boolean): number => {
  let at = start + 1;
  while (at < lines.length && goesOn(at)) at += 1;
  return at;
};

const ends: Record<BlockKind, End> = {
  heading: (_, start) => start + 1,
  rule: (_, start) => start + 1,
  code(lines, start) {
    const mark = fence.exec(lines[start] ?? "")?.[1] ?? "```";
    const isClose = (at: number): boolean => {
      const line = (lines[at] ?? "").trim();
      return line.startsWith(mark) && /^[`~]+$/.test(line);
    };
    return Math.min(linesWhile(lines, start, (at) => !isClose(at)) + 1, lines.length);
  },
  quote: (lines, start) =>
    linesWhile(lines, start, (at) => !isBlank(lines[at]) && isSame(lines, at, "quote")),
  table: (lines, start) => linesWhile(lines, start, (at) => (lines[at] ?? "").includes("|")),
  list(lines, start) {
    const isOrdered = listItem.exec(lines[start] ?? "")?.[2] !== undefined;
    const isOfList = (line: string): boolean => {
      if (/^(?: {2,}|\t)/.test(line)) return true;
      const item = listItem.exec(line);
      return item !== null && (item[2] !== undefined) === isOrdered;
    };
    return linesWhile(lines, start, (at) => {
      const line = lines[at] ?? "";
      if (!isBlank(line)) return isOfList(line) || (!isBlank(lines[at - 1]) && isSame(lines, at, "list"));
      let next = at;
      while (isBlank(lines[next])) next += 1;
      return next < lines.length && isOfList(lines[next] ?? "");
    });
  },
  paragraph: (lines, start) =>
    linesWhile(lines, start, (at) => !isBlank(lines[at]) && isSame(lines, at, "paragraph")),
};

/** Whether a line goes on with the block before it: nothing else begins there. */
const isSame = (lines: readonly string[], at: number, kind: BlockKind): boolean => {
  const found = kindOf(bare(lines[at]) ?? "", bare(lines[at + 1]));
  return found === "paragraph" || found === kind;
};

export interface SplitText {
  text: string;
  blocks: readonly string[];
}

/** Of a text that has grown: only the last two blocks may have changed. */
export const splitFurther = (before: SplitText | null, text: string): SplitText => {
  if (before === null || !text.startsWith(before.text)) return { text, blocks: splitBlocks(text) };
  if (text.length === before.text.length) return before;
  const kept = before.blocks.slice(0, -2);
  const length = kept.reduce((sum, block) => sum + block.length, 0);
  return { text, blocks: [...kept, ...splitBlocks(text.slice(length))] };
};
