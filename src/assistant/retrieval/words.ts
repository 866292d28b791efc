/** Pure: splits texts, names and identifiers into words, and makes of a question the terms that are searched. */
import { createHash } from "node:crypto";
import { stemmer } from "stemmer";
import asked from "./asked-as.json" with { type: "json" };
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

const askedPhrases: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(asked));
/** Differs for other phrases. */
export const phrasesVersion = createHash("sha256")
  .update(JSON.stringify(asked))
  .digest("base64url")
  .slice(0, 8);

/** The phrases in which people ask for what is shipped: a tool, a page or its section by reference, a skill by its key. */
export const askedAs = (reference: string): readonly string[] | undefined => askedPhrases.get(reference);

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

const stemsIn = (words: readonly string[]): string[] => words.map((word) => stemmer(word));
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
  const stems = words.map((word) => stemmer(word));
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

// How much a question is like the phrases in which people ask.

/** The part that a word of the question counts which stands in no phrase. */
const factorOfUnknown = 0.5;
/** What a meaning counts that both texts have in other words. */
const factorOfSharedMeaning = 0.5;
/** What each further phrase counts, of those that belong together, beside the one before. */
const factorOfFurther = 0.5;
const countedPhrases = 3;

/** All phrases, and where each stem and meaning stands, so that a question is compared only with those that share one. */
interface PhraseIndex {
  keys: readonly string[];
  /** The sum of what the stems of each phrase count. */
  weights: readonly number[];
  byStem: ReadonlyMap<string, readonly number[]>;
  byMeaning: ReadonlyMap<number, readonly number[]>;
}

/** What a stem or meaning counts that stands in so many of all phrases: "how" little, "undo" much. */
const rarity = (phrases: number, of: number): number => Math.log(1 + of / (1 + phrases));

function indexPhrases(): PhraseIndex {
  const all = [...askedPhrases].flatMap(([key, texts]) =>
    texts.map((text) => ({ key, stems: stemsIn(wordsOf(text)) })),
  );
  const byStem = new Map<string, number[]>();
  const byMeaning = new Map<number, number[]>();
  for (const [at, { stems }] of all.entries()) {
    for (const stem of new Set(stems)) addTo(byStem, stem, at);
    for (const meaning of meaningsIn(stems).keys()) addTo(byMeaning, meaning, at);
  }
  const weightOf = (stem: string): number => rarity(byStem.get(stem)?.length ?? 0, all.length);
  return {
    keys: all.map(({ key }) => key),
    weights: all.map(({ stems }) => [...new Set(stems)].reduce((sum, stem) => sum + weightOf(stem), 0)),
    byStem,
    byMeaning,
  };
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The meanings of the words and phrases of a text, each with the single stems that have it. */
function meaningsIn(stems: readonly string[]): Map<number, string[]> {
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

/**
 * How much a question is like the phrases of what is shipped, by the key of the phrases: from 0 to 1 for the phrase that is most
 * alike, and a part of that for the next two. A phrase is alike by the weight of the shared stems, and of meanings said in
 * other words, by the weight of both texts. All words count here, also those that say nothing alone, since "what am I allowed to
 * do" has no others.
 */
export function likenessToPhrases(query: string): Map<string, number> {
  const { keys, weights, byStem, byMeaning } = phraseIndex;
  const stems = stemsIn(queryWords(query));
  const shared = new Map<number, number>();
  const add = (phrase: number, counts: number): void =>
    void shared.set(phrase, (shared.get(phrase) ?? 0) + counts);
  let weight = 0;
  for (const stem of new Set(stems)) {
    const phrases = byStem.get(stem) ?? [];
    const counts = rarity(phrases.length, keys.length);
    weight += phrases.length === 0 ? counts * factorOfUnknown : counts;
    for (const phrase of phrases) add(phrase, counts);
  }
  for (const [meaning, saidAs] of meaningsIn(stems)) {
    const phrases = byMeaning.get(meaning) ?? [];
    const counts = factorOfSharedMeaning * rarity(phrases.length, keys.length);
    const counted = new Set(saidAs.flatMap((stem) => byStem.get(stem) ?? []));
    for (const phrase of phrases) if (!counted.has(phrase)) add(phrase, counts);
  }
  const likeness = new Map<string, number[]>();
  for (const [phrase, counted] of shared) {
    addTo(likeness, keys[phrase] ?? "", Math.min(1, counted / Math.sqrt((weights[phrase] ?? 0) * weight)));
  }
  return new Map([...likeness].map(([key, values]) => [key, sumOfBest(values)]));
}

const sumOfBest = (values: readonly number[]): number =>
  values
    .toSorted((a, b) => b - a)
    .slice(0, countedPhrases)
    .reduce((sum, value, at) => sum + value * factorOfFurther ** at, 0);

const phraseIndex = indexPhrases();
