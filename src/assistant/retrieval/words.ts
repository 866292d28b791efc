/** Pure: splits texts, names and identifiers into words, for documents and for queries. */

const longestWord = 64;

/**
 * Words in lower case and without accents. Identifiers are split: `customerOrders` is customer, orders and the whole;
 * `urn:dmb:cmp:sea_ports` is urn, dmb, cmp, sea and ports.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .toWellFormed()
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .normalize("NFC");
  const words: string[] = [];
  for (const [run] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    const parts = run.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
    for (const part of parts.length > 1 ? [...parts, run] : parts) {
      words.push(part.toLowerCase().slice(0, longestWord).toWellFormed());
    }
  }
  return words;
}

/** The words as one text, of which the database makes lexemes. */
export const searchable = (text: string): string => wordsOf(text).join(" ");

/** Characters of a query that are used. */
const longestQuery = 4_000;
const maxQueryWords = 24;

/** The distinct words of a query. */
export const queryWords = (query: string): string[] =>
  [...new Set(wordsOf(query.slice(0, longestQuery)))].slice(0, maxQueryWords);

/** Terms of a tsquery; longer words also match as prefixes. Words have only letters and digits. */
export const queryTerms = (words: readonly string[]): string[] =>
  words.map((word) => (word.length < 3 ? `'${word}'` : `'${word}':*`));
