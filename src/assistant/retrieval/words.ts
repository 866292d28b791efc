/** Pure: the words of texts, names and identifiers, for documents and for queries alike. */

const longestWord = 64;

/**
 * In lower case and without accents. Identifiers come apart: `customerOrders` is customer, orders and the whole;
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

/** As one text, for the database to make lexemes of. */
export const searchable = (text: string): string => wordsOf(text).join(" ");

/** More of a question is not looked at. */
const longestQuery = 4_000;
const mostQueryWords = 24;

/** The words of a question, each once. */
export const queryWords = (query: string): string[] =>
  [...new Set(wordsOf(query.slice(0, longestQuery)))].slice(0, mostQueryWords);

/** As terms of a query of the database: longer words also find what begins with them. Only letters and digits get here. */
export const queryTerms = (words: readonly string[]): string[] =>
  words.map((word) => (word.length < 3 ? `'${word}'` : `'${word}':*`));
