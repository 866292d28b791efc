/** Pure: splits texts, names and identifiers into words, and makes of a question the terms that are searched. */
import { stemmer } from "stemmer";
import stopWords from "./stop-words.json" with { type: "json" };
import synonyms from "./synonyms.json" with { type: "json" };

const longestWord = 64;

/** "can't", "cannot" and "doesn't" say "not", which tells a question about trouble from one about the way. */
const plainNegations: readonly [RegExp, string][] = [
  [/\bcan(?:['’]t|not)\b/giu, "can not"],
  [/\bwon['’]t\b/giu, "will not"],
  [/n['’]t\b/giu, " not"],
];

/**
 * Words in lower case and without accents. Negations are words of their own. Identifiers are split: `customerOrders` is customer, orders and the whole;
 * `urn:dmb:cmp:sea_ports` is urn, dmb, cmp, sea and ports.
 */
export function wordsOf(text: string): string[] {
  let plain = text
    .toWellFormed()
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .normalize("NFC");
  for (const [negation, said] of plainNegations) plain = plain.replaceAll(negation, said);
  const words: string[] = [];
  for (const run of plain.match(/[\p{L}\p{N}]+/gu) ?? []) {
    for (const part of partsOf(run)) words.push(part.toLowerCase().slice(0, longestWord).toWellFormed());
  }
  return words;
}

/** The parts of a word in camel case, and the word: `customerOrders` is customer, Orders and customerOrders. */
function partsOf(run: string): string[] {
  // Most words have no capital inside, and this test costs less than the split.
  if (!/.\p{Lu}/u.test(run)) return [run];
  const parts = run.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
  return parts.length > 1 ? [...parts, run] : parts;
}

/** The words as one text, of which the database makes lexemes. */
export const searchable = (text: string): string => wordsOf(text).join(" ");

/** Characters of a query that are used. */
const longestQuery = 4_000;
const maxQueryWords = 24;

/** The distinct words of a query. */
export const queryWords = (query: string): string[] =>
  [...new Set(wordsOf(query.slice(0, longestQuery)))].slice(0, maxQueryWords);

/** One word or phrase that is searched. Of the terms of a group the best one counts. */
export interface QueryTerm {
  group: number;
  /** Letters, digits and single spaces. */
  text: string;
  /** 1 for what was said, less for what means the same. */
  factor: number;
  /** Whether longer words count that begin with it, where the word itself stands nowhere. */
  isOwn: boolean;
}

/** What a term counts that was not said itself. */
const factorOfMeaning = 0.85;
/** What a word counts that is a part of a phrase with a meaning of its own. */
const factorOfPart = 0.3;
export const longestPhrase = 3;
const maxTerms = 48;

/** Porter's stem, except that a word in "-oy" or "-ay" keeps one stem in all its endings, as PostgreSQL has it: deploy, deployed, deployment. */
const stemOf = (word: string): string => stemmer(word).replace(/(?<=[aeou])i$/, "y");
export const stemsIn = (words: readonly string[]): string[] => words.map(stemOf);
const stemsOf = (text: string): string => stemsIn(wordsOf(text)).join(" ");
const meaningful = new Set(stopWords.meaningful);
const filler = new Set(
  [...stopWords.smart, ...stopWords.questions].flatMap(wordsOf).filter((word) => !meaningful.has(word)),
);
const meanings: ReadonlyMap<string, readonly string[]> = meaningsByStems();

function meaningsByStems(): Map<string, string[]> {
  const byStems = new Map<string, string[]>();
  for (const { said, meant } of synonyms.meanings) {
    for (const key of said.map(stemsOf))
      byStems.set(key, [...new Set([...(byStems.get(key) ?? []), ...meant])]);
  }
  return byStems;
}

/** Of each word or phrase with a meaning the numbers of its meanings: whoever says one of them means the others. */
const meaningNumbers: ReadonlyMap<string, readonly number[]> = numbersOfMeanings();

function numbersOfMeanings(): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const [number, { said, meant }] of synonyms.meanings.entries()) {
    for (const stems of new Set([...said, ...meant].map(stemsOf))) addTo(numbers, stems, number);
  }
  return numbers;
}

/** The terms of a query: its words without those that say nothing (all of them when there are no others), and what words and phrases of the field mean. */
export function queryTerms(query: string): QueryTerm[] {
  const words = wordsOf(query.slice(0, longestQuery)).slice(0, maxQueryWords);
  const phrases = phrasesOf(words);
  const inPhrase = new Set(
    phrases.flatMap(({ at, length }) => (length === 1 ? [] : words.slice(at, at + length))),
  );
  const said = words.map((text) => ({
    group: words.indexOf(text),
    text,
    factor: inPhrase.has(text) ? factorOfPart : 1,
    isOwn: true,
  }));
  const meant = phrases.flatMap(({ at, length, meant: texts }) => {
    const group = length === 1 ? words.indexOf(words[at] ?? "") : words.length + at;
    return texts.map((text) => ({ group, text, factor: factorOfMeaning, isOwn: false }));
  });
  const telling = said.filter(({ text }) => !filler.has(text));
  const terms = telling.length + meant.length === 0 ? said : [...telling, ...meant];
  return withoutRepeats(terms).slice(0, maxTerms);
}

interface Phrase {
  /** Its first word. */
  at: number;
  length: number;
  meant: readonly string[];
}

/** The words and phrases with a meaning, the longest first; a word of a phrase has none of its own. */
function phrasesOf(words: readonly string[]): Phrase[] {
  const stems = stemsIn(words);
  const phrases: Phrase[] = [];
  const covered = new Set<number>();
  for (let length = longestPhrase; length >= 1; length -= 1) {
    for (let at = 0; at + length <= words.length; at += 1) {
      const meant = meanings.get(stems.slice(at, at + length).join(" "));
      if (meant === undefined || (length === 1 && covered.has(at))) continue;
      phrases.push({ at, length, meant });
      if (length > 1) for (let part = at; part < at + length; part += 1) covered.add(part);
    }
  }
  return phrases;
}

/** Each text once, as what it counts most for. */
function withoutRepeats(terms: readonly QueryTerm[]): QueryTerm[] {
  const byStem = new Map<string, QueryTerm>();
  for (const term of terms) {
    const stem = stemsOf(term.text);
    if (!byStem.has(stem)) byStem.set(stem, term);
  }
  return [...byStem.values()];
}

/** The meanings of the words and phrases of a text, each with the single stems that have it. */
export function meaningsIn(stems: readonly string[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (let length = 1; length <= longestPhrase; length += 1) {
    for (let at = 0; at + length <= stems.length; at += 1) {
      const said = stems.slice(at, at + length).join(" ");
      for (const meaning of meaningNumbers.get(said) ?? []) {
        found.set(meaning, [...(found.get(meaning) ?? []), ...(length === 1 ? [said] : [])]);
      }
    }
  }
  return found;
}

/** Adds a value to the list of a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
