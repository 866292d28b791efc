/** Searches by the beginnings of words, with an index on the same expression. */
import { sql, type Sql } from "./sql.ts";

/**
 * The words of a SQL expression, as indexes have them; `text` is a constant of ours. The separators of ids become spaces, or
 * PostgreSQL would take ids for hosts, files or addresses.
 */
export const wordsIn = (text: string): Sql =>
  sql.raw(`to_tsvector('simple', translate(${text}, ':._/-@', '      '))`);

const maxWords = 8;
const longestWord = 64;

/** Letters and digits only, so that none is taken for an operator. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].slice(0, maxWords).map(([word]) => word.slice(0, longestWord));

/** A query for texts in which every word of `text` begins a word; null where it has no word. */
export function beginningsOf(text: string): Sql | null {
  const words = wordsOf(text.toWellFormed());
  return words.length === 0
    ? null
    : sql`to_tsquery('simple', ${words.map((word) => `${word}:*`).join(" & ")})`;
}
