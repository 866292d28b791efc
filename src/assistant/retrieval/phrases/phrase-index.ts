/**
 * Inverted index of the phrases: by stem, by meaning and by n-gram, so that a question is compared only with phrases that share one.
 * It is built at the first question of the process, a piece per tick of the event loop, in typed arrays.
 */
import { setImmediate as laterTick } from "node:timers/promises";
import { askedPhrases } from "./asked-as.ts";
import { addTo, meaningsIn, stemsIn, wordsOf } from "../words.ts";

/** Letters of an n-gram. */
const gramLength = 4;

/** Posting lists: the numbers of the phrases or words that contain a term, ascending. */
export type Lists<K> = ReadonlyMap<K, Uint16Array>;

/** Each key, or each page, as one document: the text of all its phrases. */
export interface PhraseTexts {
  /** Posting list of a stem: the numbers of the documents that contain it, and in how many phrases of each. */
  byStem: ReadonlyMap<string, { texts: Uint16Array; counts: Uint16Array }>;
  /** By document: how many stems it has, repeated ones included. */
  sizes: Float64Array;
  /** The mean of the sizes. */
  usualSize: number;
  /** By document: the Euclidean length of its vector of weighted stems. */
  lengths: Float64Array;
}

export interface PhraseIndex {
  keys: readonly string[];
  numberOf: ReadonlyMap<string, number>;
  /** By key: the number of its page. */
  pageOf: Uint16Array;
  /** By phrase: the number of its key. */
  keyOf: Uint16Array;
  /** By phrase: the sum of the inverse document frequencies of its stems. */
  weights: Float64Array;
  /** By phrase: the Euclidean length of its vector of weighted n-grams. */
  lengths: Float64Array;
  byStem: Lists<string>;
  byMeaning: Lists<number>;
  /** The numbers of the words that contain an n-gram. */
  wordsByGram: Lists<string>;
  /** By word: the numbers of the phrases that contain it. */
  phrasesOfWord: readonly Uint16Array[];
  /** How many phrases contain the n-gram. */
  phrasesWithGram: ReadonlyMap<string, number>;
  byKey: PhraseTexts;
  byPage: PhraseTexts;
}

/** Inverse document frequency: how much a term says that is in `found` of `of` documents; "how" says little, "undo" much. */
export const idf = (found: number, of: number): number => Math.log(1 + of / (1 + found));

/** The n-grams of a word, with marks at its beginning and end. */
export function gramsOf(word: string): string[] {
  const whole = `_${word}_`;
  const grams = [whole.slice(0, gramLength)];
  for (let at = 1; at + gramLength <= whole.length; at += 1) grams.push(whole.slice(at, at + gramLength));
  return [...new Set(grams)];
}

let made: Promise<PhraseIndex> | undefined;

/** The index of this process. One that could not be built, as when the file could not be read, is built again for the next question. */
export const phraseIndex = (): Promise<PhraseIndex> =>
  (made ??= makeIndex().catch((error: unknown) => {
    made = undefined;
    throw error;
  }));

/** So many phrases are read between two ticks of the event loop. */
const phrasesInPiece = 500;

interface Phrase {
  key: number;
  words: string[];
  stems: string[];
}

async function makeIndex(): Promise<PhraseIndex> {
  const asked = askedPhrases();
  const keys = Object.keys(asked);
  const pages = [...new Set(keys.map(pageName))];
  const pageOf = Uint16Array.from(keys, (key) => pages.indexOf(pageName(key)));
  const stemOf = new Map<string, string>();
  const phrases: Phrase[] = [];
  const byStem = new Map<string, number[]>();
  const byMeaning = new Map<number, number[]>();
  for (const [key, name] of keys.entries())
    for (const text of asked[name] ?? []) {
      if (phrases.length % phrasesInPiece === 0) await laterTick();
      const words = wordsOf(text);
      for (const word of words) if (!stemOf.has(word)) stemOf.set(word, stemsIn([word])[0] ?? word);
      const stems = words.map((word) => stemOf.get(word) ?? word);
      for (const stem of new Set(stems)) addTo(byStem, stem, phrases.length);
      for (const meaning of meaningsIn(stems).keys()) addTo(byMeaning, meaning, phrases.length);
      phrases.push({ key, words: [...new Set(words)], stems: [...new Set(stems)] });
    }
  await laterTick();
  const weights = new Float64Array(phrases.length);
  for (const list of byStem.values())
    for (const at of list) weights[at] = (weights[at] ?? 0) + idf(list.length, phrases.length);
  return {
    keys,
    numberOf: new Map(keys.map((key, number) => [key, number])),
    pageOf,
    keyOf: Uint16Array.from(phrases, ({ key }) => key),
    weights,
    byStem: packed(byStem),
    byMeaning: packed(byMeaning),
    ...indexLetters(phrases),
    byKey: indexTexts(keys.length, phrases, ({ key }) => key),
    byPage: indexTexts(pages.length, phrases, ({ key }) => pageOf[key] ?? 0),
  };
}

const pageName = (key: string): string => key.split("#", 1)[0] ?? key;

const packed = <K>(lists: ReadonlyMap<K, number[]>): Lists<K> =>
  new Map([...lists].map(([key, list]) => [key, Uint16Array.from(list)]));

type Letters = Pick<PhraseIndex, "wordsByGram" | "phrasesOfWord" | "phrasesWithGram" | "lengths">;

function indexLetters(phrases: readonly Phrase[]): Letters {
  const phrasesByWord = new Map<string, number[]>();
  for (const [at, { words }] of phrases.entries()) for (const word of words) addTo(phrasesByWord, word, at);
  const byGram = new Map<string, number[]>();
  for (const [number, word] of [...phrasesByWord.keys()].entries())
    for (const gram of gramsOf(word)) addTo(byGram, gram, number);
  const phrasesOfWord = [...phrasesByWord.values()].map((list) => Uint16Array.from(list));
  const phrasesWithGram = new Map<string, number>();
  const squares = new Float64Array(phrases.length);
  for (const [gram, words] of byGram) {
    const having = new Set(words.flatMap((word) => [...(phrasesOfWord[word] ?? [])]));
    phrasesWithGram.set(gram, having.size);
    const square = idf(having.size, phrases.length) ** 2;
    for (const at of having) squares[at] = (squares[at] ?? 0) + square;
  }
  return { wordsByGram: packed(byGram), phrasesOfWord, phrasesWithGram, lengths: squares.map(Math.sqrt) };
}

function indexTexts(
  count: number,
  phrases: readonly Phrase[],
  textOf: (phrase: Phrase) => number,
): PhraseTexts {
  const counts = new Map<string, Map<number, number>>();
  const sizes = new Float64Array(count);
  for (const phrase of phrases) {
    const text = textOf(phrase);
    sizes[text] = (sizes[text] ?? 0) + phrase.stems.length;
    for (const stem of phrase.stems) {
      const own = counts.get(stem) ?? new Map<number, number>();
      counts.set(stem, own.set(text, (own.get(text) ?? 0) + 1));
    }
  }
  const squares = new Float64Array(count);
  for (const own of counts.values())
    for (const [text, times] of own)
      squares[text] = (squares[text] ?? 0) + (Math.log(1 + times) * idf(own.size, count)) ** 2;
  return {
    byStem: new Map(
      [...counts].map(([stem, own]) => [
        stem,
        { texts: Uint16Array.from(own.keys()), counts: Uint16Array.from(own.values()) },
      ]),
    ),
    sizes,
    usualSize: sizes.reduce((sum, size) => sum + size, 0) / count,
    lengths: squares.map(Math.sqrt),
  };
}
