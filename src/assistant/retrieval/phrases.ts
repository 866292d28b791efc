/** Pure: the phrases in which people ask for what is shipped, and how much a question is like them. */
import { createHash } from "node:crypto";
import { addTo, meaningsIn, queryWords, stemsIn, wordsOf } from "./words.ts";
import asked from "./asked-as.json" with { type: "json" };

const askedPhrases: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(asked));
/** Differs for other phrases. */
export const phrasesVersion = createHash("sha256")
  .update(JSON.stringify(asked))
  .digest("base64url")
  .slice(0, 8);

/** The phrases in which people ask for what is shipped: a tool, a page or its section by reference, a skill by its key. */
export const askedAs = (reference: string): readonly string[] | undefined => askedPhrases.get(reference);

/** The part that a word of the question counts which stands in no phrase. */
const factorOfUnknown = 0.5;
/** What a meaning counts that both texts have in other words. */
const factorOfSharedMeaning = 0.5;
/** What each further phrase counts, of those that belong together, beside the one before. */
const factorOfFurther = 0.5;
const countedPhrases = 3;
/** Letters in a row that are compared. */
const gramLength = 4;
/** Runs of letters that stand in a larger part of all phrases are not compared: they say little, and there are many. */
const commonGrams = 0.05;

/** Where each word, meaning and run of letters stands, so that a question is compared only with phrases that share one. */
interface PhraseIndex {
  keys: readonly string[];
  /** The number of its key, of each phrase. */
  keyOf: readonly number[];
  /** The sum of what the stems of each phrase count. */
  weights: readonly number[];
  /** The length of each phrase as a vector of runs of letters. */
  lengths: readonly number[];
  byStem: ReadonlyMap<string, readonly number[]>;
  byMeaning: ReadonlyMap<number, readonly number[]>;
  byGram: ReadonlyMap<string, readonly number[]>;
  /** The keys with a phrase that has the stem. */
  keysByStem: ReadonlyMap<string, ReadonlySet<number>>;
}

/** What a stem or meaning counts that stands in so many of all: "how" little, "undo" much. */
const rarity = (found: number, of: number): number => Math.log(1 + of / (1 + found));

/** The runs of letters of the words, with their beginnings and ends. */
function gramsOf(words: readonly string[]): Set<string> {
  const grams = new Set<string>();
  for (const word of words) {
    const whole = `_${word}_`;
    for (let at = 0; at === 0 || at + gramLength <= whole.length; at += 1)
      grams.add(whole.slice(at, at + gramLength));
  }
  return grams;
}

function indexPhrases(): PhraseIndex {
  const keys = [...askedPhrases.keys()];
  const all = keys.flatMap((key, number) =>
    (askedPhrases.get(key) ?? []).map((text) => ({ number, words: wordsOf(text) })),
  );
  const byStem = new Map<string, number[]>();
  const byMeaning = new Map<number, number[]>();
  const byGram = new Map<string, number[]>();
  for (const [at, { words }] of all.entries()) {
    const stems = stemsIn(words);
    for (const stem of new Set(stems)) addTo(byStem, stem, at);
    for (const meaning of meaningsIn(stems).keys()) addTo(byMeaning, meaning, at);
    for (const gram of gramsOf(words)) addTo(byGram, gram, at);
  }
  const keyOf = all.map(({ number }) => number);
  const weights = all.map(() => 0);
  const squares = all.map(() => 0);
  const addWeights = (lists: ReadonlyMap<string, number[]>, sums: number[], power: number): void => {
    for (const list of lists.values())
      for (const at of list) sums[at] = (sums[at] ?? 0) + rarity(list.length, all.length) ** power;
  };
  addWeights(byStem, weights, 1);
  addWeights(byGram, squares, 2);
  return {
    keys,
    keyOf,
    weights,
    lengths: squares.map(Math.sqrt),
    byStem,
    byMeaning,
    byGram,
    keysByStem: new Map([...byStem].map(([stem, at]) => [stem, new Set(at.map((one) => keyOf[one] ?? 0))])),
  };
}

const index = indexPhrases();
const { keys, keyOf } = index;
const numbers: ReadonlyMap<string, number> = new Map(keys.map((key, number) => [key, number]));

/** Sums by number, of phrases or of keys. */
type Sums = Map<number, number>;
const addUp = (sums: Sums, number: number, value: number): void =>
  void sums.set(number, (sums.get(number) ?? 0) + value);

/**
 * How much a question is like the phrases of what is shipped, by the key of the phrases: from 0 to 1 for the phrase that is most
 * alike, and a part of that for the next two. A phrase is alike by the weight of the shared stems, and of meanings said in
 * other words, by the weight of both texts. All words count here, also those that say nothing alone, since "what am I allowed to
 * do" has no others.
 */
export function likenessToPhrases(query: string): Map<string, number> {
  const { weights, byStem, byMeaning } = index;
  const stems = stemsIn(queryWords(query));
  const shared: Sums = new Map();
  let weight = 0;
  for (const stem of new Set(stems)) {
    const phrases = byStem.get(stem) ?? [];
    const counts = rarity(phrases.length, keyOf.length);
    weight += phrases.length === 0 ? counts * factorOfUnknown : counts;
    for (const phrase of phrases) addUp(shared, phrase, counts);
  }
  for (const [meaning, saidAs] of meaningsIn(stems)) {
    const phrases = byMeaning.get(meaning) ?? [];
    const counts = factorOfSharedMeaning * rarity(phrases.length, keyOf.length);
    const counted = new Set(saidAs.flatMap((stem) => byStem.get(stem) ?? []));
    for (const phrase of phrases) if (!counted.has(phrase)) addUp(shared, phrase, counts);
  }
  const likeness = new Map<string, number[]>();
  for (const [phrase, counted] of shared) {
    const like = Math.min(1, counted / Math.sqrt((weights[phrase] ?? 0) * weight));
    addTo(likeness, keys[keyOf[phrase] ?? 0] ?? "", like);
  }
  return new Map([...likeness].map(([key, values]) => [key, sumOfBest(values)]));
}

const sumOfBest = (values: readonly number[]): number =>
  values
    .toSorted((a, b) => b - a)
    .slice(0, countedPhrases)
    .reduce((sum, value, at) => sum + value * factorOfFurther ** at, 0);

/** What a stem of a question counts: the more, the fewer keys have a phrase with it. */
const weightOfStem = (stem: string): number => rarity(index.keysByStem.get(stem)?.size ?? 0, keys.length);
const weightOfStems = (stems: Iterable<string>): number =>
  [...stems].reduce((sum, stem) => sum + weightOfStem(stem), 0);
/** What a meaning counts in coverage that is said in other words, beside what it counts in a phrase. */
const factorOfCoveredMeaning = 0.6;

/** The part of a question's words that stand somewhere in the phrases of each key, by their weight. */
function coverageByPhrases(stems: readonly string[]): Sums {
  const covered: Sums = new Map();
  const distinct = new Set(stems);
  const all = weightOfStems(distinct);
  if (all === 0) return covered;
  for (const stem of distinct)
    for (const key of index.keysByStem.get(stem) ?? []) addUp(covered, key, weightOfStem(stem) / all);
  for (const [meaning, saidAs] of meaningsIn(stems)) {
    const phrases = index.byMeaning.get(meaning) ?? [];
    const counts = factorOfCoveredMeaning * factorOfSharedMeaning * rarity(phrases.length, keyOf.length);
    for (const key of new Set(phrases.map((phrase) => keyOf[phrase] ?? 0))) {
      const isSaid = saidAs.some((stem) => index.keysByStem.get(stem)?.has(key));
      if (!isSaid) addUp(covered, key, counts / all);
    }
  }
  return covered;
}

/** The likeness of letters to the best phrase of each key, which mistyped words and other endings have too. */
function likenessOfLetters(words: readonly string[]): Sums {
  const { byGram, lengths } = index;
  const shared: Sums = new Map();
  let square = 0;
  for (const gram of gramsOf(words)) {
    const phrases = byGram.get(gram) ?? [];
    const counts = rarity(phrases.length, keyOf.length) ** 2;
    square += counts;
    if (phrases.length > commonGrams * keyOf.length) continue;
    for (const phrase of phrases) addUp(shared, phrase, counts);
  }
  const best: Sums = new Map();
  for (const [phrase, counted] of shared) {
    const key = keyOf[phrase] ?? 0;
    best.set(key, Math.max(best.get(key) ?? 0, counted / ((lengths[phrase] ?? 1) * Math.sqrt(square))));
  }
  return best;
}

/** What each kind of likeness counts, beside the share of the words of which the best passage has 1. */
const weightOfCoverage = 0.8;
const weightOfLikeness = 0.4;
const weightOfLetters = 0.2;
/** A guide comes before a page of reference that says the same. */
const weightOfGuide = 0.08;
const guides = "docs/guides/";

export interface PhraseScores {
  /** How much what has these phrases answers the question. */
  ofKey: (key: string) => number;
  /** The same of a text that has no phrases, such as an entity: how much of the question's words it has. */
  ofText: (text: string) => number;
}

export function scoreByPhrases(query: string): PhraseScores {
  const words = queryWords(query);
  const stems = stemsIn(words);
  const coverage = coverageByPhrases(stems);
  const letters = likenessOfLetters(words);
  const likeness = likenessToPhrases(query);
  const distinct = new Set(stems);
  const all = weightOfStems(distinct);
  return {
    ofKey(key) {
      const number = numbers.get(key) ?? -1;
      return (
        weightOfCoverage * (coverage.get(number) ?? 0) +
        weightOfLikeness * (likeness.get(key) ?? 0) ** 2 +
        weightOfLetters * (letters.get(number) ?? 0) +
        (key.startsWith(guides) ? weightOfGuide : 0)
      );
    },
    ofText(text) {
      if (all === 0) return 0;
      const has = new Set(stemsIn(wordsOf(text)));
      return (weightOfCoverage * weightOfStems([...distinct].filter((stem) => has.has(stem)))) / all;
    },
  };
}
