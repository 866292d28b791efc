/** Splits the text of an expression. */
import { CelSyntaxError } from "./expr.ts";

export interface Token {
  kind: "end" | "name" | "number" | "quoted name" | "sign" | "text";
  text: string;
  start: number;
  end: number;
}

const space = /(?:\s|\/\/[^\n]*)*/y;
const quote = `"""(?:\\\\[^]|[^\\\\])*?"""|'''(?:\\\\[^]|[^\\\\])*?'''|"(?:\\\\[^\\n\\r]|[^\\\\"\\n\\r])*"|'(?:\\\\[^\\n\\r]|[^\\\\'\\n\\r])*'`;
const rawQuote = `"""[^]*?"""|'''[^]*?'''|"[^"\\n\\r]*"|'[^'\\n\\r]*'`;
const token = new RegExp(
  [
    `(?<text>(?:[bB]?[rR]|[rR][bB])(?:${rawQuote})|[bB]?(?:${quote}))`,
    String.raw`(?<number>0x[0-9a-fA-F]+[uU]?|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?|\d+[uU]?)`,
    String.raw`(?<name>[a-zA-Z_][a-zA-Z0-9_]*)`,
    "`(?<quoted>[a-zA-Z0-9_.\\-/ ]+)`",
    String.raw`(?<sign>&&|\|\||[!=<>]=|[-+*/%<>!?:.,()[\]{}])`,
  ].join("|"),
  "y",
);

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (true) {
    space.lastIndex = position;
    space.exec(text);
    const start = space.lastIndex;
    if (start === text.length) return [...tokens, { kind: "end", text: "", start, end: start }];
    token.lastIndex = start;
    const match = token.exec(text);
    if (match === null)
      throw new CelSyntaxError(`The character ${JSON.stringify(text[start])} is not expected here`, start);
    position = token.lastIndex;
    tokens.push(tokenOf(match.groups!, start, position));
  }
}

function tokenOf(groups: Record<string, string | undefined>, start: number, end: number): Token {
  const { text, number, name, quoted, sign } = groups;
  if (text !== undefined) return { kind: "text", text, start, end };
  if (number !== undefined) return { kind: "number", text: number, start, end };
  if (name !== undefined) return { kind: "name", text: name, start, end };
  if (quoted !== undefined) return { kind: "quoted name", text: quoted, start, end };
  return { kind: "sign", text: sign!, start, end };
}
