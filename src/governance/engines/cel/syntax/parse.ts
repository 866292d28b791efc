/** Parses an expression of the Common Expression Language, with optional fields, indexes and entries. */
import { numberLiteral, textLiteral } from "./literals.ts";
import { CelSyntaxError, type BinaryOperator, type Expr } from "./expr.ts";
import { tokensOf, type Token } from "./tokens.ts";

const maxLength = 50_000;
const maxDepth = 120;

/** Words that no variable may have as its name. */
const reserved: ReadonlySet<string> = new Set(
  "as break const continue else false for function if import in let loop null package namespace return true var void while".split(
    " ",
  ),
);

/** Binary operators by how tightly they bind, loosest first. */
const levels: readonly (readonly BinaryOperator[])[] = [
  ["||"],
  ["&&"],
  ["<", "<=", ">=", ">", "==", "!=", "in"],
  ["+", "-"],
  ["*", "/", "%"],
];

interface Parser {
  tokens: readonly Token[];
  next: number;
  depth: number;
}

/** Throws a `CelSyntaxError` that has the place. */
export function parse(text: string): Expr {
  if (text.length > maxLength) throw new CelSyntaxError(`It is longer than ${maxLength} characters`, 0);
  const parser: Parser = { tokens: tokensOf(text), next: 0, depth: 0 };
  const expr = parseExpr(parser);
  if (peek(parser).kind !== "end") throw unexpected(peek(parser));
  return expr;
}

const peek = ({ tokens, next }: Parser): Token => tokens[next]!;
const isSign = (token: Token, text: string): boolean => token.kind === "sign" && token.text === text;
const take = (parser: Parser): Token => parser.tokens[parser.next++]!;

function takeIf(parser: Parser, sign: string): boolean {
  if (!isSign(peek(parser), sign)) return false;
  parser.next += 1;
  return true;
}

function expect(parser: Parser, sign: string): Token {
  const token = take(parser);
  if (isSign(token, sign)) return token;
  throw token.kind === "end"
    ? new CelSyntaxError(`It ends where ${sign} is expected`, token.start)
    : unexpected(token, sign);
}

const unexpected = ({ kind, text, start }: Token, wanted?: string): CelSyntaxError =>
  new CelSyntaxError(
    `${kind === "end" ? "The end" : text} is not expected here${wanted === undefined ? "" : `; ${wanted} is`}`,
    start,
  );

function parseExpr(parser: Parser): Expr {
  parser.depth += 1;
  if (parser.depth > maxDepth)
    throw new CelSyntaxError(`It is nested more than ${maxDepth} levels deep`, peek(parser).start);
  const condition = parseBinary(parser, 0);
  const expr = takeIf(parser, "?") ? parseBranches(parser, condition) : condition;
  parser.depth -= 1;
  return expr;
}

function parseBranches(parser: Parser, condition: Expr): Expr {
  const yes = parseBinary(parser, 0);
  expect(parser, ":");
  const no = parseExpr(parser);
  return { kind: "conditional", condition, yes, no, start: condition.start, end: no.end };
}

function parseBinary(parser: Parser, level: number): Expr {
  const operators = levels[level];
  if (operators === undefined) return parseUnary(parser);
  let left = parseBinary(parser, level + 1);
  while (true) {
    const { kind, text } = peek(parser);
    const operator = kind === "sign" || text === "in" ? operators.find((each) => each === text) : undefined;
    if (operator === undefined) return left;
    take(parser);
    const right = parseBinary(parser, level + 1);
    left = { kind: "binary", operator, left, right, start: left.start, end: right.end };
  }
}

function parseUnary(parser: Parser): Expr {
  const signs: Token[] = [];
  while (
    isSign(peek(parser), "!") ||
    (isSign(peek(parser), "-") && parser.tokens[parser.next + 1]!.kind !== "number")
  )
    signs.push(take(parser));
  if (signs.length > maxDepth)
    throw new CelSyntaxError(`It has more than ${maxDepth} signs in a row`, signs[0]!.start);
  let expr = parseMember(parser);
  for (const { text, start } of signs.toReversed())
    expr = { kind: "unary", operator: text as "!" | "-", operand: expr, start, end: expr.end };
  return expr;
}

function parseMember(parser: Parser): Expr {
  let expr = parsePrimary(parser);
  while (true) {
    if (takeIf(parser, ".")) expr = parseSelect(parser, expr);
    else if (takeIf(parser, "[")) expr = parseIndex(parser, expr);
    else return expr;
  }
}

function parseSelect(parser: Parser, operand: Expr): Expr {
  const isOptional = takeIf(parser, "?");
  const token = take(parser);
  const isField = token.kind === "quoted name" || (token.kind === "name" && !isWordOfSyntax(token.text));
  if (!isField) throw unexpected(token, "a name");
  const { start } = operand;
  if (token.kind === "name" && !isOptional && takeIf(parser, "(")) {
    const { items: args, end } = parseItems(parser, ")", parseExpr);
    return { kind: "call", name: token.text, target: operand, args, start, end };
  }
  return { kind: "select", operand, field: token.text, isOptional, start, end: token.end };
}

const isWordOfSyntax = (name: string): boolean =>
  name === "in" || name === "true" || name === "false" || name === "null";

function parseIndex(parser: Parser, operand: Expr): Expr {
  const isOptional = takeIf(parser, "?");
  const index = parseExpr(parser);
  const { end } = expect(parser, "]");
  return { kind: "index", operand, index, isOptional, start: operand.start, end };
}

function parsePrimary(parser: Parser): Expr {
  const token = take(parser);
  const { kind, text, start, end } = token;
  if (kind === "number") return { kind: "literal", value: numberLiteral(text, start), start, end };
  if (kind === "text") return { kind: "literal", value: textLiteral(text, start), start, end };
  if (kind === "name") return parseName(parser, token);
  if (kind !== "sign") throw unexpected(token);
  switch (text) {
    case "-": {
      const number = take(parser);
      return { kind: "literal", value: numberLiteral(`-${number.text}`, start), start, end: number.end };
    }
    case "(": {
      const expr = parseExpr(parser);
      expect(parser, ")");
      return expr;
    }
    case "[": {
      const list = parseItems(parser, "]", parseListItem);
      return { kind: "list", items: list.items, start, end: list.end };
    }
    case "{": {
      const map = parseItems(parser, "}", parseEntry);
      return { kind: "map", entries: map.items, start, end: map.end };
    }
    case ".":
      return parseName(parser, take(parser));
    default:
      throw unexpected(token);
  }
}

function parseName(parser: Parser, token: Token): Expr {
  const { kind, text, start, end } = token;
  if (kind !== "name") throw unexpected(token, "a name");
  if (text === "true" || text === "false") return { kind: "literal", value: text === "true", start, end };
  if (text === "null") return { kind: "literal", value: null, start, end };
  if (reserved.has(text)) throw new CelSyntaxError(`${text} is a reserved word`, start);
  if (!takeIf(parser, "(")) return { kind: "name", name: text, start, end };
  const { items: args, end: closing } = parseItems(parser, ")", parseExpr);
  return { kind: "call", name: text, args, start, end: closing };
}

function parseItems<Item>(
  parser: Parser,
  closing: string,
  parseItem: (parser: Parser) => Item,
): { items: Item[]; end: number } {
  const items: Item[] = [];
  while (!isSign(peek(parser), closing)) {
    items.push(parseItem(parser));
    if (!takeIf(parser, ",")) break;
    if (closing === ")" && isSign(peek(parser), closing)) throw unexpected(peek(parser));
  }
  return { items, end: expect(parser, closing).end };
}

function parseListItem(parser: Parser): { value: Expr; isOptional: boolean } {
  const isOptional = takeIf(parser, "?");
  return { isOptional, value: parseExpr(parser) };
}

function parseEntry(parser: Parser): { key: Expr; value: Expr; isOptional: boolean } {
  const isOptional = takeIf(parser, "?");
  const key = parseExpr(parser);
  expect(parser, ":");
  return { isOptional, key, value: parseExpr(parser) };
}
