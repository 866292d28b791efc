/**
 * Pure: rewrites calls of the methods in methods.ts as filters that do the same. The result records its
 * changes, so that the position of an error can be mapped back to the original text.
 */
import { positionOf, tagBodies } from "./expressions.ts";
import { methodNames, type RegexLiteral } from "./methods.ts";

export interface Rewritten {
  text: string;
  /** Line and column in the original, from 1, of a position in `text`. */
  place: (line: number, column: number) => { line: number; column: number };
}

interface Change {
  from: number;
  to: number;
  text: string;
}

interface Token {
  kind: "name" | "text" | "regex" | "sign";
  from: number;
  to: number;
  text: string;
}

const names = new Set(methodNames);
const anyCall = new RegExp(`\\.\\s*(?:${methodNames.join("|")})\\s*\\(`);
/** Words after which a bracket starts a new expression. */
const keywords = new Set(["and", "or", "not", "in", "is", "if", "elif", "elseif", "else", "set", "for"]);

/** Null when nothing needs rewriting, which is nearly always the case. */
export function rewriteMethodCalls(template: string): Rewritten | null {
  if (!anyCall.test(template)) return null;
  const changes = tagBodies(template).flatMap(({ from, to }) => changesIn(tokensOf(template, from, to)));
  if (changes.length === 0) return null;
  // Insertions at the same place may be in any order, but before a replacement there.
  changes.sort((one, other) => one.from - other.from || one.to - other.to);
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, text } of changes) {
    parts.push(template.slice(at, from), text);
    at = to;
  }
  const text = parts.join("") + template.slice(at);
  return { text, place: (line, column) => placeBefore(template, changes, offsetOf(text, line, column)) };
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
}

function placeBefore(
  template: string,
  changes: readonly Change[],
  offset: number,
): { line: number; column: number } {
  let shift = 0;
  for (const { from, to, text } of changes) {
    const begin = from + shift;
    if (offset < begin) break;
    if (offset < begin + text.length) return positionOf(template, from);
    shift += text.length - (to - from);
  }
  return positionOf(template, offset - shift);
}

const token = /(?<name>[\w$]+)|(?<text>"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')|\s+|[^]/y;
const regex = /r\/((?:[^/\\]|\\[^])*)\/([a-z]*)/y;

function tokensOf(template: string, from: number, to: number): Token[] {
  const tokens: Token[] = [];
  for (let at = from; at < to;) {
    regex.lastIndex = at;
    const literal = regex.exec(template);
    token.lastIndex = at;
    const match = literal ?? token.exec(template);
    if (match === null) break;
    const [text] = match;
    const groups = literal === null ? match.groups : undefined;
    const kind =
      literal !== null
        ? "regex"
        : groups?.["name"] !== undefined
          ? "name"
          : groups?.["text"] === undefined
            ? "sign"
            : "text";
    if (text.trim() !== "") tokens.push({ kind, from: at, to: at + text.length, text });
    at += text.length;
  }
  return tokens;
}

function changesIn(tokens: readonly Token[]): Change[] {
  const pairs = pairsOf(tokens);
  return tokens.flatMap((dot, index): Change[] => {
    const [name, open, first] = tokens.slice(index + 1, index + 4);
    if (dot.text !== "." || open?.text !== "(" || name === undefined || !names.has(name.text)) return [];
    const close = tokens[pairs.get(index + 2) ?? -1];
    const start = tokens[startOf(tokens, pairs, index - 1)];
    if (close === undefined || start === undefined) return [];
    return [
      { from: start.from, to: start.from, text: "(" },
      { from: dot.from, to: name.to, text: ` | method.${name.text}` },
      ...(first?.kind === "regex" ? [{ from: first.from, to: first.to, text: written(first.text) }] : []),
      { from: close.to, to: close.to, text: ")" },
    ];
  });
}

const closing: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** The index of the matching bracket, in both directions. */
function pairsOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== "sign") continue;
    if (closing[text] !== undefined) open.push(index);
    const last = open.at(-1);
    if (last === undefined || closing[tokens[last]?.text ?? ""] !== text) continue;
    open.pop();
    pairs.set(index, last).set(last, index);
  }
  return pairs;
}

/** The first token of the operand whose last token is at `end`: `a.b[0](1)` begins with `a`. -1 for none. */
function startOf(tokens: readonly Token[], pairs: ReadonlyMap<number, number>, end: number): number {
  let at = end;
  for (;;) {
    const { kind, text = "" } = tokens[at] ?? {};
    const before = tokens[at - 1];
    if (text === ")" || text === "]" || text === "}") {
      const open = pairs.get(at);
      if (open === undefined) return -1;
      if (text === "}" || !isOperand(tokens[open - 1])) return open;
      at = open - 1;
    } else if (kind === undefined || kind === "sign" || before?.text === "|") return -1;
    else if (before?.text === ".") at -= 2;
    else return at;
  }
}

const isOperand = (given: Token | undefined): boolean =>
  given !== undefined &&
  (given.kind === "sign" ? given.text === ")" || given.text === "]" : !keywords.has(given.text));

function written(literal: string): string {
  regex.lastIndex = 0;
  const [, source = "", flags = ""] = regex.exec(literal) ?? [];
  const pattern: RegexLiteral = { regex: source, flags };
  return JSON.stringify(pattern);
}
