/** Scores how well a question matches the phrases in which people ask for what is shipped. */
import { gramsOf, idf, phraseIndex, type PhraseIndex, type PhraseTexts } from "./phrase-index.ts";
import { meaningsIn, queryWords, stemsIn, wordsOf } from "../words.ts";

/** The part that a word of the question counts which stands in no phrase. */
const factorOfUnknown = 0.5;
/** What a meaning counts that both texts have in other words. */
const factorOfSharedMeaning = 0.5;
/** What each further phrase counts, of those that belong together, beside the one before. */
const factorOfFurther = 0.5;
/** n-grams that are in a larger part of all phrases are skipped: they say little, and their posting lists are long. */
const commonGrams = 0.05;

const none = new Uint16Array();

/** Sums by number, of phrases, keys or pages. */
const addUp = (sums: Float64Array, numbers: Uint16Array, value: number): void => {
  for (const at of numbers) sums[at] = (sums[at] ?? 0) + value;
};

/**
 * Similarity of the question to single phrases, by the number of their key: the best phrase (0 to 1), plus a half of the second and a
 * quarter of the third. The similarity of one phrase is the weight of the stems and meanings that it shares with the question, divided by
 * the geometric mean of both weights. No stop words are left out: "what am I allowed to do" has no other words.
 */
function likenessToPhrases(stems: readonly string[], index: PhraseIndex): Float64Array {
  const { keys, keyOf, weights, byStem, byMeaning } = index;
  const shared = new Float64Array(keyOf.length);
  let weight = 0;
  for (const stem of new Set(stems)) {
    const phrases = byStem.get(stem) ?? none;
    const counts = idf(phrases.length, keyOf.length);
    weight += phrases.length === 0 ? counts * factorOfUnknown : counts;
    addUp(shared, phrases, counts);
  }
  for (const [meaning, saidAs] of meaningsIn(stems)) {
    const phrases = byMeaning.get(meaning) ?? none;
    const counts = factorOfSharedMeaning * idf(phrases.length, keyOf.length);
    const counted = new Set(saidAs.flatMap((stem) => [...(byStem.get(stem) ?? none)]));
    addUp(
      shared,
      phrases.filter((phrase) => !counted.has(phrase)),
      counts,
    );
  }
  const [best, second, third] = [0, 0, 0].map(() => new Float64Array(keys.length)) as Best;
  for (let phrase = 0; phrase < shared.length; phrase += 1) {
    const counted = shared[phrase] ?? 0;
    if (counted === 0) continue;
    const like = Math.min(1, counted / Math.sqrt((weights[phrase] ?? 0) * weight));
    const key = keyOf[phrase] ?? 0;
    if (like > (best[key] ?? 0))
      [third[key], second[key], best[key]] = [second[key] ?? 0, best[key] ?? 0, like];
    else if (like > (second[key] ?? 0)) [third[key], second[key]] = [second[key] ?? 0, like];
    else if (like > (third[key] ?? 0)) third[key] = like;
  }
  return best.map(
    (like, key) => like + factorOfFurther * (second[key] ?? 0) + factorOfFurther ** 2 * (third[key] ?? 0),
  );
}

type Best = [Float64Array, Float64Array, Float64Array];

/** What a meaning counts in coverage that is said in other words, beside what it counts in a phrase. */
const factorOfCoveredMeaning = 0.6;

/** What a stem of a question counts: the more, the fewer keys have a phrase with it. */
const weightOfStem = (stem: string, { byKey, keys }: PhraseIndex): number =>
  idf(byKey.byStem.get(stem)?.texts.length ?? 0, keys.length);
const weightOfStems = (stems: Iterable<string>, index: PhraseIndex): number =>
  [...stems].reduce((sum, stem) => sum + weightOfStem(stem, index), 0);

/** The part of a question's words that stand somewhere in the phrases of each key, by their weight. */
function coverageByPhrases(stems: readonly string[], index: PhraseIndex): Float64Array {
  const { keys, keyOf, byKey, byMeaning } = index;
  const covered = new Float64Array(keys.length);
  const distinct = new Set(stems);
  const all = weightOfStems(distinct, index);
  if (all === 0) return covered;
  const keysWith = (stem: string): Uint16Array => byKey.byStem.get(stem)?.texts ?? none;
  for (const stem of distinct) addUp(covered, keysWith(stem), weightOfStem(stem, index) / all);
  for (const [meaning, saidAs] of meaningsIn(stems)) {
    const phrases = byMeaning.get(meaning) ?? none;
    const counts = factorOfCoveredMeaning * factorOfSharedMeaning * idf(phrases.length, keyOf.length);
    const said = new Set(saidAs.flatMap((stem) => [...keysWith(stem)]));
    const others = new Set(
      [...phrases].flatMap((phrase) => keyOf[phrase] ?? []).filter((key) => !said.has(key)),
    );
    addUp(covered, Uint16Array.from(others), counts / all);
  }
  return covered;
}

/** By key: the cosine similarity of n-grams to its best phrase, which finds mistyped words and other endings as well. */
function likenessOfLetters(words: readonly string[], index: PhraseIndex): Float64Array {
  const { keys, keyOf, lengths, wordsByGram, phrasesOfWord, phrasesWithGram } = index;
  const shared = new Float64Array(keyOf.length);
  /** By phrase: the last n-gram that was added, plus one; several words of a phrase may contain the same n-gram. */
  const counted = new Uint16Array(keyOf.length);
  let square = 0;
  for (const [at, gram] of [...new Set(words.flatMap(gramsOf))].entries()) {
    const having = phrasesWithGram.get(gram) ?? 0;
    const counts = idf(having, keyOf.length) ** 2;
    square += counts;
    if (having > commonGrams * keyOf.length) continue;
    for (const word of wordsByGram.get(gram) ?? none)
      for (const phrase of phrasesOfWord[word] ?? none) {
        if (counted[phrase] === at + 1) continue;
        counted[phrase] = at + 1;
        shared[phrase] = (shared[phrase] ?? 0) + counts;
      }
  }
  const best = new Float64Array(keys.length);
  for (let phrase = 0; phrase < shared.length; phrase += 1) {
    const sum = shared[phrase] ?? 0;
    if (sum === 0) continue;
    const key = keyOf[phrase] ?? 0;
    best[key] = Math.max(best[key] ?? 0, sum / ((lengths[phrase] ?? 1) * Math.sqrt(square)));
  }
  return best;
}

/** BM25's k1 (the less, the sooner further occurrences of a stem add nothing) and b (the more, the less long documents score). */
const saturation = 1.2;
const lengthPart = 0.5;

interface TextLikeness {
  /** By document: its BM25 score, divided by the highest that any document could have for this question; from 0 to 1. */
  saidPart: Float64Array;
  /** By document: cosine similarity of the stems to those of the question, from 0 to 1. */
  cosine: Float64Array;
}

function likenessToTexts(stems: readonly string[], index: PhraseTexts): TextLikeness {
  const { byStem, sizes, usualSize, lengths } = index;
  const saidPart = new Float64Array(sizes.length);
  const cosine = new Float64Array(sizes.length);
  const asked = [...new Set(stems)].map((stem) => {
    const found = byStem.get(stem);
    return { found, counts: idf(found?.texts.length ?? 0, sizes.length) };
  });
  const weight = asked.reduce((sum, { counts }) => sum + counts, 0);
  const length = Math.hypot(...asked.map(({ counts }) => counts));
  for (const { found, counts } of asked) {
    for (const [at, text] of (found?.texts ?? none).entries()) {
      const times = found?.counts[at] ?? 0;
      const damping = saturation * (1 - lengthPart + (lengthPart * (sizes[text] ?? 0)) / usualSize);
      saidPart[text] = (saidPart[text] ?? 0) + ((times / (times + damping)) * counts) / weight;
      cosine[text] =
        (cosine[text] ?? 0) + (counts ** 2 * Math.log(1 + times)) / (length * (lengths[text] ?? 1));
    }
  }
  return { saidPart, cosine };
}

/** Weights of the parts of a passage's score. The full-text score is scaled so that the best passage has 1. */
export const weightOfWords = 0.6;
const weightOfCoverage = 0.3;
const weightOfLikeness = 0.8;
const powerOfLikeness = 1.5;
const weightOfLetters = 0.6;
const weightOfKey = 0.6;
const weightsOfPage = { cosine: 0.9, saidPart: 0.2 };
/** A guide comes before a page of reference that says the same. */
const weightOfGuide = 0.06;
const guides = "docs/guides/";
/** The part of the words that a text without phrases has. */
const weightOfText = 0.8;

export interface PhraseScores {
  /** How much what has these phrases answers the question; undefined where there are none. */
  ofKey: (key: string) => number | undefined;
  /** The same of a text that has no phrases, such as an entity: how much of the question's words it has. */
  ofText: (text: string) => number;
}

export async function scoreByPhrases(query: string): Promise<PhraseScores> {
  const index = await phraseIndex();
  const words = queryWords(query);
  const stems = stemsIn(words);
  const coverage = coverageByPhrases(stems, index);
  const letters = likenessOfLetters(words, index);
  const likeness = likenessToPhrases(stems, index);
  const ofKeys = likenessToTexts(stems, index.byKey);
  const ofPages = likenessToTexts(stems, index.byPage);
  const distinct = new Set(stems);
  const all = weightOfStems(distinct, index);
  return {
    ofKey(key) {
      const number = index.numberOf.get(key);
      if (number === undefined) return undefined;
      const page = index.pageOf[number] ?? 0;
      const at = (values: Float64Array): number => values[number] ?? 0;
      return (
        weightOfCoverage * at(coverage) +
        weightOfLikeness * at(likeness) ** powerOfLikeness +
        weightOfLetters * at(letters) +
        weightOfKey * at(ofKeys.saidPart) +
        weightsOfPage.cosine * (ofPages.cosine[page] ?? 0) +
        weightsOfPage.saidPart * (ofPages.saidPart[page] ?? 0) +
        (key.startsWith(guides) ? weightOfGuide : 0)
      );
    },
    ofText(text) {
      if (all === 0) return 0;
      const has = new Set(stemsIn(wordsOf(text)));
      const shared = [...distinct].filter((stem) => has.has(stem));
      return (weightOfText * weightOfStems(shared, index)) / all;
    },
  };
}
