/**
 * A first check of the SQL of a workload, to report common mistakes before PostgreSQL sees the text. It is no
 * security check: the text only ever runs inside `CREATE MATERIALIZED VIEW … AS ( … )`, sent as one prepared
 * statement under the system's own role, where the server itself allows a single SELECT and no change of
 * role.
 */
import type { RelationName } from "./identifiers.ts";

export interface WorkloadSql {
  /** The query alone, without the INSERT head and the closing semicolon. */
  query: string;
  /** Characters of the original text before the query; turns positions in errors into positions in the text. */
  offset: number;
  /** Set when the text is an INSERT. */
  insert?: { target: { schema?: string; name: string }; columns: string[] | undefined };
}

interface Token {
  kind: "word" | "quoted" | "symbol" | "string";
  text: string;
  start: number;
  end: number;
}

/** @returns the parts of the text, or what is wrong with it. */
export function readWorkloadSql(text: string): WorkloadSql | { problem: string } {
  const tokens = tokenise(text);
  if (typeof tokens === "string") return { problem: tokens };
  while (tokens.at(-1)?.text === ";") tokens.pop();
  if (tokens.length === 0) return { problem: "holds no statement" };
  if (tokens.some((token) => token.text === ";")) return { problem: "holds more than one statement" };
  const unbalanced = checkParentheses(tokens);
  if (unbalanced) return { problem: unbalanced };
  const insert = isWord(tokens[0], "insert") ? readInsertHead(tokens) : undefined;
  if (typeof insert === "string") return { problem: insert };
  const first = tokens[insert?.length ?? 0];
  if (!first || !["select", "with", "values", "table", "("].includes(first.text.toLowerCase())) {
    return { problem: "must be one SELECT, WITH … SELECT, VALUES or INSERT INTO … SELECT" };
  }
  const end = tokens.at(-1)?.end ?? text.length;
  const query = text.slice(first.start, end);
  return { query, offset: first.start, ...(insert ? { insert: insert.head } : {}) };
}

const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === "word" && token.text.toLowerCase() === word;

function checkParentheses(tokens: Token[]): string | undefined {
  let depth = 0;
  for (const token of tokens) {
    if (token.kind !== "symbol") continue;
    if (token.text === "(") depth += 1;
    if (token.text === ")") depth -= 1;
    if (depth < 0) return "closes a parenthesis that it did not open";
  }
  return depth > 0 ? "opens a parenthesis that it does not close" : undefined;
}

/** INSERT INTO name [(columns)]; everything after it must be the query. */
function readInsertHead(
  tokens: Token[],
): { head: NonNullable<WorkloadSql["insert"]>; length: number } | string {
  if (!isWord(tokens[1], "into")) return "must say INSERT INTO";
  let at = 2;
  const nameAt = (index: number): string | undefined => {
    const token = tokens[index];
    if (token?.kind === "word") return token.text.toLowerCase();
    return token?.kind === "quoted" ? token.text.slice(1, -1).replaceAll('""', '"') : undefined;
  };
  const parts: string[] = [];
  for (;;) {
    const part = nameAt(at);
    if (part === undefined) return "must name the table after INSERT INTO";
    parts.push(part);
    at += 1;
    if (tokens[at]?.text !== ".") break;
    at += 1;
  }
  const [name, schema, more] = parts.toReversed();
  if (name === undefined || more !== undefined) return "must name the table as schema.table or table";
  const target = schema === undefined ? { name } : { schema, name };
  if (tokens[at]?.text !== "(" || isQueryWord(tokens[at + 1]))
    return { head: { target, columns: undefined }, length: at };
  const columns: string[] = [];
  do {
    const column = nameAt(at + 1);
    if (column === undefined) return "must list column names after the table";
    columns.push(column);
    at += 2;
  } while (tokens[at]?.text === ",");
  if (tokens[at]?.text !== ")") return "must list column names after the table";
  return { head: { target, columns }, length: at + 1 };
}

const isQueryWord = (token: Token | undefined): boolean =>
  ["select", "with", "values", "table"].some((word) => isWord(token, word)) || token?.text === "(";

const patterns: Array<[kind: Token["kind"] | "blank", pattern: RegExp]> = [
  ["blank", /\s+|--[^\n]*/y],
  ["string", /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y],
  ["string", /(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*'/y],
  ["quoted", /(?:[uU]&)?"(?:[^"]|"")+"/y],
  ["string", /\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$[\s\S]*?\$\1\$/y],
  ["word", /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
];

/** @returns the tokens, or what is wrong. Comments and blanks are left out. */
function tokenise(text: string): Token[] | string {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (text.startsWith("/*", at)) {
      const end = endOfComment(text, at);
      if (end === undefined) return "has a comment that does not end";
      at = end;
      continue;
    }
    const token = matchAt(text, at);
    if (token === undefined) return "has a quote that does not end";
    if (token.kind !== "blank") tokens.push({ ...token, kind: token.kind });
    at = token.end;
  }
  return tokens;
}

function matchAt(
  text: string,
  start: number,
): { kind: Token["kind"] | "blank"; text: string; start: number; end: number } | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = start;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return { kind, text: found, start, end: start + found.length };
  }
  const symbol = text.charAt(start);
  if (symbol === "'" || symbol === '"') return undefined;
  return { kind: "symbol", text: symbol, start, end: start + 1 };
}

/** Comments nest in PostgreSQL. */
function endOfComment(text: string, start: number): number | undefined {
  let depth = 0;
  const edge = /\/\*|\*\//g;
  edge.lastIndex = start;
  for (let found = edge.exec(text); found; found = edge.exec(text)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return undefined;
}

/** The target of an INSERT with the schema it means. */
export const insertTarget = (insert: NonNullable<WorkloadSql["insert"]>, schema: string): RelationName => ({
  schema: insert.target.schema ?? schema,
  name: insert.target.name,
});
