/** Pure: splits texts, names and identifiers into words, and makes of a question the terms that are searched. */
import { createHash } from "node:crypto";
import { stemmer } from "stemmer";
import asked from "./asked-as.json" with { type: "json" };
import stopWords from "./stop-words.json" with { type: "json" };
import synonyms from "./synonyms.json" with { type: "json" };

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

const askedPhrases: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(asked));
/** Differs for other phrases. */
export const phrasesVersion = createHash("sha256")
  .update(JSON.stringify(asked))
  .digest("base64url")
  .slice(0, 8);

/** The phrases in which people ask for what is shipped: a tool, a page or its section by reference, a skill by its key. */
export const askedAs = (reference: string): readonly string[] | undefined => askedPhrases.get(reference);

interface AskedPhrase {
  key: string;
  /** The sum of what its stems count. */
  weight: number;
}

/** All phrases by their stems, so that a question is compared only with those that share one. */
const phraseCount = [...askedPhrases.values()].flat().length;
/** What a stem counts that stands in so many of all phrases: "how" little, "undo" much. */
const rarity = (phrases: number): number => Math.log(1 + phraseCount / (1 + phrases));
const phrasesByStem: ReadonlyMap<string, readonly AskedPhrase[]> = indexPhrases();

function indexPhrases(): Map<string, AskedPhrase[]> {
  const byStem = new Map<string, AskedPhrase[]>();
  const all: { phrase: AskedPhrase; stems: Set<string> }[] = [];
  for (const [key, texts] of askedPhrases) {
    for (const text of texts) {
      const stems = new Set(wordsOf(text).map((word) => stemmer(word)));
      const phrase = { key, weight: 0 };
      all.push({ phrase, stems });
      for (const stem of stems) byStem.set(stem, [...(byStem.get(stem) ?? []), phrase]);
    }
  }
  for (const { phrase, stems } of all) {
    for (const stem of stems) phrase.weight += rarity(byStem.get(stem)?.length ?? 0);
  }
  return byStem;
}

/** The part that a word of the question counts which stands in no phrase. */
const factorOfUnknown = 0.5;

/**
 * How much a question is like the phrases of what is shipped, from 0 to 1 by the key of the phrases: the weight of the shared
 * stems, by that of both texts. All words count here, also those that say nothing alone, since "what am I allowed to do" has no
 * others.
 */
export function likenessToPhrases(query: string): Map<string, number> {
  const shared = new Map<AskedPhrase, number>();
  let weight = 0;
  for (const stem of new Set(queryWords(query).map((word) => stemmer(word)))) {
    const phrases = phrasesByStem.get(stem) ?? [];
    const counts = rarity(phrases.length);
    weight += phrases.length === 0 ? counts * factorOfUnknown : counts;
    for (const phrase of phrases) shared.set(phrase, (shared.get(phrase) ?? 0) + counts);
  }
  const best = new Map<string, number>();
  for (const [phrase, counted] of shared) {
    const likeness = counted / Math.sqrt(phrase.weight * weight);
    if (likeness > (best.get(phrase.key) ?? 0)) best.set(phrase.key, likeness);
  }
  return best;
}

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

const stemsOf = (text: string): string =>
  wordsOf(text)
    .map((word) => stemmer(word))
    .join(" ");
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
