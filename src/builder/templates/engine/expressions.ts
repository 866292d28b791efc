import type { Problem } from "../../../platform/errors/failure.ts";

/**
 * Pure: finds what is for the template engine: the tags in a text, the filters that they name, and the first line of a file that
 * is a template. Only the engine evaluates them.
 */

const anyTag = /\$\{\{|\{%|\{#/;
const expressionOrStatement = /\$\{\{|\{%/;

/** Comments are tags too, but an unclosed `{#` is plain text. */
export function hasTags(text: string): boolean {
  if (expressionOrStatement.test(text)) return true;
  const comment = text.indexOf("{#");
  return comment !== -1 && text.includes("#}", comment + 2);
}

export interface FilterUse {
  name: string;
  /** From 1. */
  line: number;
  column: number;
}

const opening = /\$\{\{|\{%|\{#/g;
const filterName = /\s*([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)/y;
const filterBlock = /\{%-?\s*filter(?=\s)/y;
const rawBlock = /\{%-?\s*(raw|verbatim)\s*-?%\}/y;
const regexFlags = /[a-z]*/y;

/** Every filter that a tag names, in order. Strings, regular expressions and comments in tags are skipped. */
export function filtersIn(template: string): FilterUse[] {
  const found: FilterUse[] = [];
  const add = (at: number): number => {
    const match = matchAt(filterName, template, at);
    if (match === null) return at;
    const name = match[1] ?? "";
    found.push({ name, ...positionOf(template, at + match[0].length - name.length) });
    return at + match[0].length;
  };
  opening.lastIndex = 0;
  for (let tag = opening.exec(template); tag !== null; tag = opening.exec(template)) {
    opening.lastIndex = endOfTag(template, tag, add);
  }
  return found;
}

/** The ranges inside tags, without comments and raw blocks. */
export function tagBodies(template: string): { from: number; to: number }[] {
  const bodies: { from: number; to: number }[] = [];
  opening.lastIndex = 0;
  for (let tag = opening.exec(template); tag !== null; tag = opening.exec(template)) {
    const isRaw = tag[0] === "{#" || matchAt(rawBlock, template, tag.index) !== null;
    const end = endOfTag(template, tag, (at) => at);
    if (!isRaw) bodies.push({ from: tag.index + tag[0].length, to: end - 2 });
    opening.lastIndex = end;
  }
  return bodies;
}

function endOfTag(template: string, tag: RegExpExecArray, add: (at: number) => number): number {
  if (tag[0] === "{#") return after(template, "#}", tag.index);
  const raw = matchAt(rawBlock, template, tag.index);
  if (raw !== null) {
    const end = new RegExp(`\\{%-?\\s*end${raw[1]}\\s*-?%\\}`, "g");
    end.lastIndex = tag.index;
    return end.exec(template) === null ? template.length : end.lastIndex;
  }
  const block = matchAt(filterBlock, template, tag.index);
  let at = block === null ? tag.index + tag[0].length : add(tag.index + block[0].length);
  const closing = tag[0] === "{%" ? "%}" : "}}";
  while (at < template.length) {
    if (template.startsWith(closing, at)) return at + closing.length;
    at = afterToken(template, at, add);
  }
  return at;
}

function afterToken(template: string, at: number, add: (at: number) => number): number {
  const sign = template[at];
  if (sign === "'" || sign === '"') return afterQuoted(template, at + 1, sign);
  if (sign === "r" && template[at + 1] === "/" && !/[\w$.]/.test(template[at - 1] ?? " ")) {
    const end = afterQuoted(template, at + 2, "/");
    return end + (matchAt(regexFlags, template, end)?.[0].length ?? 0);
  }
  if (sign !== "|") return at + 1;
  return template[at + 1] === "|" ? at + 2 : add(at + 1);
}

function afterQuoted(template: string, from: number, quote: string): number {
  for (let at = from; at < template.length; at += 1) {
    if (template[at] === "\\") at += 1;
    else if (template[at] === quote) return at + 1;
  }
  return template.length;
}

function after(template: string, mark: string, from: number): number {
  const at = template.indexOf(mark, from);
  return at === -1 ? template.length : at + mark.length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Line and column of an offset, from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - start + 1 };
}

/** Position of the first tag of a text. */
export const firstTag = (text: string): { line: number; column: number } =>
  positionOf(text, Math.max(0, text.search(anyTag)));

interface EntityText {
  text: string;
  /** Whether the first line was `%SKELETON`, which has been removed. */
  skeleton: boolean;
  linesCut: number;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const marker = /^%SKELETON[ \t]*(?:\r\n|\n|\r|$)/;
/** Enough for the marker, a byte order mark and trailing blanks. */
const longestMarkerLine = 1_024;

/**
 * Whether the first line is `%SKELETON`: such a file is a template that is rendered when its entity is
 * resolved.
 */
export const isSkeletonFile = (bytes: Uint8Array): boolean =>
  marker.test(new TextDecoder().decode(bytes.subarray(0, longestMarkerLine)));

/** Decodes an entity file: UTF-8 with or without a BOM, any line ending, the `%SKELETON` line removed. */
export const readEntityText = (bytes: Uint8Array, file: string): EntityText | Problem => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { where: file, message: "The file is not UTF-8 text.", solution: "Save it as UTF-8." };
  }
  const found = marker.exec(text);
  if (found === null) return { text, skeleton: false, linesCut: 0 };
  return { text: text.slice(found[0].length), skeleton: true, linesCut: 1 };
};

/**
 * Whether a text contains anything for the template engine; rendering any other text returns it unchanged.
 */
export const hasTemplateMarks = (text: string): boolean => /\$\{\{|\{%|\{#/.test(text);
